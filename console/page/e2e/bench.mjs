// How the page feels with 5,000 nodes and 100,000 pods: map and stream are made up here, so that the
// processors are the page's. Prints one line per figure; fails where one misses its bound.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { launch } from './browser.mjs';

const NODES = Number(process.env.NODES ?? 5000);
const PODS = Number(process.env.PODS ?? 100_000);
const SECONDS = Number(process.env.SECONDS ?? 10);
const files = new URL('../../src/main/resources/io/berth/console/page/files/', import.meta.url);
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

let seed = 1;
function random(below) {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return seed % below;
}

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const name = (owner) => `app-${owner}-5d8f7c6b9d-${Array.from({ length: 5 }, () => LETTERS[random(LETTERS.length)]).join('')}`;

function map() {
  const owners = Array.from({ length: 800 }, (_, i) => `Deployment app-${i}`);
  const pods = { namespace: [], name: [], node: [], owner: [], state: [], shape: [] };
  for (let i = 0; i < PODS; i++) {
    const owner = random(800);
    pods.namespace.push(owner % 40);
    pods.name.push(name(owner));
    pods.node.push(Math.floor((i * NODES) / PODS));
    pods.owner.push(owner);
    pods.state.push(3);
    pods.shape.push(owner % 12);
  }
  const nodes = { name: [], ready: [], cordoned: [], cpu: [], memory: [], gpu: [], pods: [], cpuTaken: [], memoryTaken: [], gpuTaken: [], podsTaken: [], domain0: [] };
  for (let i = 0; i < NODES; i++) {
    const values = [`node-${String(i).padStart(5, '0')}`, 1, 0, 32000, 2 ** 37, 0, 110, 16000, 2 ** 36, 0, 20, i % 12];
    Object.keys(nodes).forEach((column, k) => nodes[column].push(values[k]));
  }
  return {
    rev: 'bench.1',
    cut: false,
    seesNodes: true,
    keys: ['topology.kubernetes.io/zone'],
    states: ['waiting', 'gated', 'starting', 'running', 'succeeded', 'failed', 'stopping'],
    domains: [Array.from({ length: 12 }, (_, i) => `zone-${i}`)],
    namespaces: Array.from({ length: 40 }, (_, i) => `team-${i}`),
    owners,
    shapes: Array.from({ length: 12 }, (_, i) => [250 + 150 * i, (1 + i) * 2 ** 28, 0, 0]),
    nodes,
    pods,
  };
}

const columns = map();
const mapBytes = gzipSync(JSON.stringify(columns), { level: 1 });
let changing = false;

const server = createServer(async (request, response) => {
  const path = new URL(request.url, 'http://bench').pathname;
  response.setHeader('Content-Security-Policy', CSP);
  const json = (value) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value));
  if (path === '/console/api/v1/session') {
    json({ user: 'bench', groups: [], cluster: 'bench', complete: true, seesNodes: true, seesEveryPod: true, readOnly: false });
  } else if (path === '/console/api/v1/map') {
    response.setHeader('Content-Type', 'application/json').setHeader('Content-Encoding', 'gzip').end(mapBytes);
  } else if (path === '/console/api/v1/stream') {
    stream(response);
  } else if (path.startsWith('/console/api/v1/pods/')) {
    json({ pod: { metadata: { name: 'p', namespace: 'n' }, spec: { nodeName: 'node-00001' }, status: { phase: 'Running' } }, events: [] });
  } else {
    const file = path.slice('/console/'.length) || 'index.html';
    try {
      const bytes = gzipSync(await readFile(new URL(file, files)));
      response.setHeader('Content-Encoding', 'gzip').setHeader('Content-Type', TYPES[file.split('.').pop()] ?? 'text/plain').end(bytes);
      sent += bytes.length;
    } catch {
      response.writeHead(404).end();
    }
  }
});
let sent = 0;

/** 1,000 changes a second, in ten pieces. */
function stream(response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(':\n\n');
  let revision = 1;
  const timer = setInterval(() => {
    if (!changing) return;
    const set = Array.from({ length: 100 }, () => {
      const pod = random(PODS);
      const owner = columns.pods.owner[pod];
      return [`team-${owner % 40}`, columns.pods.name[pod], columns.nodes.name[random(NODES)], `Deployment app-${owner}`, 3, ...columns.shapes[owner % 12]];
    });
    response.write(`event: map\ndata: ${JSON.stringify({ rev: `bench.${++revision}`, pods: { set, gone: [] } })}\n\n`);
  }, 100);
  response.on('close', () => clearInterval(timer));
}

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}/console/`;
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const missed = [];

function figure(what, value, unit, bound, isGood = value <= bound) {
  console.log(`${what.padEnd(44)} ${Number(value.toFixed(1))} ${unit} (bound ${bound})`);
  if (!isGood) missed.push(what);
}

/** Frames drawn while something is done. */
async function frames(action) {
  await page.evaluate(() => {
    window.times = [];
    const tick = (time) => {
      window.times.push(time);
      window.ticking = requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await action();
  const times = await page.evaluate(() => {
    cancelAnimationFrame(window.ticking);
    return window.times;
  });
  const gaps = times.slice(1).map((time, i) => time - times[i]);
  return { rate: (1000 * gaps.length) / (times.at(-1) - times[0]), longest: Math.max(...gaps) };
}

async function steer() {
  const end = Date.now() + SECONDS * 1000;
  await page.mouse.move(640, 400);
  for (let i = 0; Date.now() < end; i++) {
    if (i % 40 < 20) {
      await page.mouse.wheel(0, i % 80 < 40 ? -60 : 60);
    } else {
      await page.mouse.down();
      await page.mouse.move(640 + (i % 20) * 8, 400 + (i % 20) * 4);
      await page.mouse.up();
    }
  }
}

/** From the press of the button to the frame after the panel is there; a node lies under the pointer. */
async function clickToDetail() {
  await page.getByRole('button', { name: 'Zoom in' }).click({ clickCount: 6 });
  const tip = page.locator('.tip');
  for (let i = 0; i < 20; i++) {
    await page.mouse.move(400 + 23 * i, 300 + 11 * i);
    const isThere = tip.waitFor({ timeout: 300 });
    if (await isThere.then(() => true, () => false)) break;
  }
  await page.evaluate(() => {
    addEventListener('pointerdown', (event) => (window.pressed = event.timeStamp), { capture: true, once: true });
    new MutationObserver((_, observer) => {
      if (!document.querySelector('aside')) return;
      observer.disconnect();
      requestAnimationFrame((time) => (window.shown = time));
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForFunction(() => window.shown);
  return page.evaluate(() => window.shown - window.pressed);
}

const begin = Date.now();
await page.goto(base);
await page.getByRole('application', { name: /Map of/ }).waitFor();
await page.waitForFunction(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))));
const ready = Date.now() - begin;
const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
figure('page, compressed', sent / 1024, 'KB', 120);
figure('map, compressed', mapBytes.length / 1024, 'KB', 1024);
figure('first paint', paint, 'ms', 1000);
figure('map', ready, 'ms', 2500);
const calm = await frames(steer);
figure('pan and zoom', calm.rate, 'frames/s', 30, calm.rate >= 30);
figure('longest frame', calm.longest, 'ms', 100);
changing = true;
const busy = await frames(steer);
figure('pan and zoom, 1,000 changes a second', busy.rate, 'frames/s', 30, busy.rate >= 30);
figure('longest frame then', busy.longest, 'ms', 100);
const heap = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
figure('heap', heap / 2 ** 20, 'MB', 250);
changing = false;
await page.getByRole('button', { name: 'Show all' }).click();
figure('click to detail', await clickToDetail(), 'ms', 100);
await browser.close();
server.closeAllConnections();
server.close();
if (missed.length) {
  console.log(`missed: ${missed.join(', ')}`);
  process.exitCode = 1;
}
