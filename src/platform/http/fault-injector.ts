import { seededRandom, type Logger, type Random } from '../../base/index.ts';
import type { FaultPlan, FaultRule } from './fault-plan.ts';

type AnyEffect = FaultRule['effect'];

/** What an answer suffers, besides coming late and with a wrong clock. */
export type Effect = Exclude<AnyEffect, { delayMs: number } | { skewMs: number }>;

/** What happens to one request. */
export interface Fault {
  delayMs: number;
  skewMs: number;
  effect: Effect | null;
}

/** Decides for each request, and counts as it goes. */
export interface FaultInjector {
  /** The rules, each chance with the seed that it has. */
  plan(): FaultPlan;
  /** Replaces the rules; counting starts anew. */
  setPlan(plan: FaultPlan): void;
  /** True while there is no rule at all. */
  isIdle(): boolean;
  meet(operation: string | null, target: string): Fault;
}

interface ActiveRule {
  rule: FaultRule;
  pattern: RegExp | null;
  random: Random;
  seen: number;
}

const SEEDS = 2 ** 31;

/** Rules of chance without a seed get one; every such seed is logged, so that the same faults can be had again. */
export function createFaultInjector(parts: { random: Random; log: Logger }, plan: FaultPlan): FaultInjector {
  const activate = (rule: FaultRule, index: number): ActiveRule => {
    const seed = rule.seed ?? parts.random.int(SEEDS);
    const pattern = rule.pathPattern === undefined ? null : new RegExp(rule.pathPattern);
    if (rule.probability !== undefined) {
      parts.log.info(
        { rule: index + 1, operation: rule.operation, probability: rule.probability, seed },
        'fault by chance',
      );
    }
    return {
      rule: rule.probability === undefined ? rule : { ...rule, seed },
      pattern,
      random: seededRandom(seed),
      seen: 0,
    };
  };
  let rules = plan.map(activate);
  return {
    plan: () => rules.map(({ rule }) => rule),
    setPlan: (next) => {
      rules = next.map(activate);
    },
    isIdle: () => rules.length === 0,
    meet: (operation, target) => {
      const fault: Fault = { delayMs: 0, skewMs: 0, effect: null };
      for (const active of rules) {
        if (strikes(active, operation, target)) addTo(fault, active.rule.effect);
      }
      return fault;
    },
  };
}

function addTo(fault: Fault, effect: AnyEffect): void {
  if (typeof effect === 'object' && 'delayMs' in effect) fault.delayMs += effect.delayMs;
  else if (typeof effect === 'object' && 'skewMs' in effect) fault.skewMs += effect.skewMs;
  else fault.effect ??= effect;
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
