// A cluster of its own for the tests: `berth up` in memory, on ports that nobody uses.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const TOKENS = { admin: 'token-of-admin-0123456789', alice: 'token-of-alice-0123456789' };

export async function start(berth, ...options) {
  const home = await mkdtemp(join(tmpdir(), 'berth-console-'));
  const tokens = join(home, 'tokens.csv');
  await writeFile(tokens, `${TOKENS.admin},root,1,"system:masters"\n${TOKENS.alice},alice,2\n`);
  const env = { ...process.env, BERTH_HOME: home, HOME: home };
  const child = spawn(
    berth,
    ['up', '--in-memory', '--port', '0', '--token-auth-file', tokens, '-o', 'json', ...options],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const facts = await firstDocument(child);
  const config = await readFile(facts.kubeconfig, 'utf8');
  const part = (name) => Buffer.from(config.match(new RegExp(`${name}: "?([A-Za-z0-9+/=]+)"?`))[1], 'base64');
  const identity = { cert: part('client-certificate-data'), key: part('client-key-data') };
  const agent = new https.Agent({ ...identity, ca: part('certificate-authority-data'), keepAlive: true });
  return {
    facts,
    identity,
    server: facts.server,
    console: facts.console,
    invitation: async () =>
      JSON.parse((await run(berth, ['console', '--in-memory', '-o', 'json'], { env })).stdout).address,
    request: (method, path, body, type) => request(agent, facts.server, method, path, body, type),
    stop: async () => {
      agent.destroy();
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(home, { recursive: true, force: true });
    },
  };
}

function firstDocument(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.on('exit', (code) => reject(new Error(`berth up ended with ${code}: ${text}`)));
    child.stdout.on('data', (bytes) => {
      text += bytes;
      try {
        resolve(JSON.parse(text));
      } catch {
        // Not whole yet.
      }
    });
  });
}

function request(agent, server, method, path, body, type = 'application/json') {
  return new Promise((resolve, reject) => {
    const call = https.request(server + path, { agent, method, headers: { 'Content-Type': type } }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => (text += bytes));
      answer.on('end', () => {
        const value = JSON.parse(text || '{}');
        if (answer.statusCode < 300) resolve(value);
        else reject(new Error(`${method} ${path}: ${value.message}`));
      });
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export function deployment(namespace, name, replicas, cpu, more = {}) {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'example/app:1', resources: { requests: { cpu, memory: '256Mi' } } }], ...more },
      },
    },
  };
}
