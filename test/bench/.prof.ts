import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Pool } from '/work/main/node_modules/undici/index.js';
import { systemClock, systemRandom, silentLogger, Secret } from '/work/main/src/base/index.ts';
import { createClient } from '/work/main/src/client/index.ts';
import { openMirror } from '/work/main/src/mirror/index.ts';
import { walk } from '/work/main/src/walker/index.ts';
const server = spawn('/work/main/node_modules/.bin/tsx', ['/work/main/test/bench/memory-server.ts','100','200','4096'], {stdio:['ignore','pipe','inherit']});
const url: string = await new Promise(r => { let t=''; server.stdout.on('data', d => { t+=d; if (t.includes('\n')) r(t.trim()); }); });
async function bare() {
  const pool = new Pool(url, { connections: 16, pipelining: 1 });
  const paths: string[] = []; for (let s=0;s<100;s++) for (let p=0;p<200;p++) paths.push(`/v1/spaces/space${s}/content/page/page${s}x${p}?format=markdown`);
  let i=0; const t=performance.now();
  await Promise.all(Array.from({length:64}, async()=>{ while(i<paths.length){ const path=paths[i++]!; const {body}=await pool.request({path, method:'GET'}); await body.text(); } }));
  const ms = performance.now()-t; await pool.close(); return 20000/ms*1000;
}
const clock = systemClock();
async function one(lanes: number, conc: number) {
  const dir = mkdtempSync('/tmp/prof-');
  const mirror = await openMirror({ dataDir: dir, clock });
  const client = createClient({ baseUrl: url, token: Secret.of('x'), clock, random: systemRandom(), log: silentLogger(), limits: { concurrency: conc, requestsPerSecond: 1e9, share: 1, timeoutMs: 10000, downloadTimeoutMs: 10000, retries: 0, maxWaitMs: 1000 } });
  const t=performance.now(); const c=process.cpuUsage();
  const r = await walk({ mirror, client, clock, log: silentLogger(), mode:'incremental', scope:{organizations:null,onlySpaces:null,extraSpaces:[]}, settings:{ rereadNights:7,pageSize:1000, brake:{deletedShare:2,deletedCount:1e9,rewrittenShare:2,rewrittenCount:1e9}, resumeWithinMs:1e6, lanes }, origin:url });
  const ms=performance.now()-t; const cpu=process.cpuUsage(c);
  const t2=performance.now();
  const r2 = await walk({ mirror, client, clock, log: silentLogger(), mode:'incremental', scope:{organizations:null,onlySpaces:null,extraSpaces:[]}, settings:{ rereadNights:7,pageSize:1000, brake:{deletedShare:2,deletedCount:1e9,rewrittenShare:2,rewrittenCount:1e9}, resumeWithinMs:1e6, lanes }, origin:url });
  console.log('second', Math.round(performance.now()-t2),'ms', r2.snapshot.requests,'req', r2.snapshot.state);
  console.log(r.snapshot.state, r.snapshot.reason, r.kinds['page'], 'pages/s', Math.round(20000/ms*1000), 'cpu', Math.round(cpu.user/1000), '+sys', Math.round(cpu.system/1000), 'wall', Math.round(ms));
  mirror[Symbol.dispose](); await client[Symbol.asyncDispose](); rmSync(dir,{recursive:true});
  return 20000/ms*1000;
}
const mode=process.argv[2]??'all';
if (mode==='all') { for (let k=0;k<2;k++){ { const c=process.cpuUsage(); } const c0=process.cpuUsage(); const b = await bare(); const c1=process.cpuUsage(c0); console.log("bare", Math.round(b), "cpu", (c1.user+c1.system)/1000); const w=await one(128,16); console.log('ratio', (w/b).toFixed(3)); } }
else { for (const l of [128]) { console.log("lanes", l); await one(l,16); } }
server.kill();
