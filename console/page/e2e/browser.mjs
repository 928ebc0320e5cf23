// Chromium, and what must hold on every page: no error, no CSP report, no request to others.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function findChromium() {
  return PLACES.find((place) => place && existsSync(place)) ?? '';
}

export function launch() {
  return chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
}

/** A window that complains about what no page of ours does. */
export async function open(browser, cluster, options = {}) {
  const { allowed = [], ...rest } = options;
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 800 }, ...rest });
  const complaints = [];
  const own = new URL(cluster.console).origin;
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  context.on('console', (message) => {
    if (message.type() === 'error' && !allowed.some((text) => message.text().includes(text))) {
      complaints.push(message.text());
    }
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== own) complaints.push(`foreign request: ${request.url()}`);
  });
  const page = await context.newPage();
  return {
    page,
    context,
    close: async () => {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}
