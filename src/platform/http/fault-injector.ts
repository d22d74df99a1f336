import { seededRandom, type Random } from '../../base/index.ts';
import type { FaultPlan, FaultRule } from './fault-plan.ts';

/** What happens to one request. */
export interface Fault {
  delayMs: number;
  effect: Exclude<FaultRule['effect'], { delayMs: number }> | null;
}

/** Decides for each request, and counts as it goes. */
export interface FaultInjector {
  plan(): FaultPlan;
  /** Replaces the rules; counting starts anew. */
  setPlan(plan: FaultPlan): void;
  meet(operation: string | null, target: string): Fault;
}

interface ActiveRule {
  rule: FaultRule;
  pattern: RegExp | null;
  random: Random;
  seen: number;
}

export function createFaultInjector(plan: FaultPlan): FaultInjector {
  let rules = plan.map(activate);
  return {
    plan: () => rules.map(({ rule }) => rule),
    setPlan: (next) => {
      rules = next.map(activate);
    },
    meet: (operation, target) => {
      const fault: Fault = { delayMs: 0, effect: null };
      for (const active of rules) {
        if (!strikes(active, operation, target)) continue;
        const { effect } = active.rule;
        if (typeof effect === 'object' && 'delayMs' in effect) fault.delayMs += effect.delayMs;
        else fault.effect ??= effect;
      }
      return fault;
    },
  };
}

function activate(rule: FaultRule): ActiveRule {
  const pattern = rule.pathPattern === undefined ? null : new RegExp(rule.pathPattern);
  return { rule, pattern, random: seededRandom(rule.seed ?? 1), seen: 0 };
}

function strikes(active: ActiveRule, operation: string | null, target: string): boolean {
  const { rule, pattern } = active;
  if (rule.operation !== undefined && rule.operation !== operation) return false;
  if (pattern && !pattern.test(target)) return false;
  active.seen++;
  const first = rule.nth ?? 1;
  const last = first + (rule.count ?? (rule.nth === undefined ? Infinity : 1)) - 1;
  if (active.seen < first || active.seen > last) return false;
  return rule.probability === undefined || active.random.next() < rule.probability;
}
