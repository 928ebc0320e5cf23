// What people do with the console, in a browser, on a cluster of its own.
//
// console/test runs it; BERTH names the command that starts the cluster.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { deployment, start, TOKENS } from './berth.mjs';
import { launch, open } from './browser.mjs';

const berth = process.env.BERTH ?? '../../berth';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

// The server says 401 until somebody has signed in, and browsers write that down as an error.
const UNKNOWN = ['the server responded with a status of 401'];

let cluster;
let browser;

before(async () => {
  cluster = await start(berth);
  browser = await launch();
  await cluster.request('POST', DEPLOYMENTS, deployment('default', 'web', 12, '500m'));
});

after(async () => {
  await browser?.close();
  await cluster?.stop();
});

async function signedIn(options = {}) {
  const window = await open(browser, cluster, options);
  await window.page.goto(await cluster.invitation());
  await window.page.getByRole('application', { name: /Map of/ }).waitFor();
  return window;
}

/** The map's own words for what it shows. */
function mapOf(page, nodes, pods) {
  return page.getByRole('application', { name: new RegExp(`Map of ${nodes} nodes and ${pods} pods`) });
}

describe('ways in', () => {
  test('a code in the address, once', async () => {
    const { page, close } = await open(browser, cluster, { allowed: UNKNOWN });
    const address = await cluster.invitation();
    await page.goto(address);
    await mapOf(page, 6, 12).waitFor();
    assert.ok(!page.url().includes(address.split('#')[1]), 'the code leaves the address');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('alert').filter({ hasText: 'no longer' }).waitFor();
    await close();
  });

  test('a token', async () => {
    const { page, close } = await open(browser, cluster, { allowed: UNKNOWN });
    await page.goto(cluster.console);
    await page.getByLabel('Or a bearer token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Or a bearer token').fill(TOKENS.admin);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await mapOf(page, 6, 12).waitFor();
    await page.reload();
    await mapOf(page, 6, 12).waitFor();
    await close();
  });

  test('a client certificate', async () => {
    const { page, close } = await open(browser, cluster, {
      allowed: UNKNOWN,
      clientCertificates: [{ origin: new URL(cluster.console).origin, ...cluster.identity }],
    });
    await page.goto(cluster.console);
    await mapOf(page, 6, 12).waitFor();
    await close();
  });
});

describe('views', () => {
  test('the map follows the cluster', async () => {
    const { page, close } = await signedIn();
    await page.getByText(/pods\s+live/).waitFor();
    await cluster.request('POST', DEPLOYMENTS, deployment('default', 'more', 3, '100m'));
    await mapOf(page, 6, 15).waitFor();
    await cluster.request('DELETE', `${DEPLOYMENTS}/more`);
    await mapOf(page, 6, 12).waitFor();
    await close();
  });

  test('the same as a list, by keyboard', async () => {
    const { page, close } = await signedIn();
    await page.getByRole('button', { name: 'Show as list' }).press('Enter');
    const grid = page.getByRole('treegrid');
    await grid.getByRole('row').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Details' }).getByText(/default\/web-/).first().waitFor();
    await page.reload();
    await page.getByRole('complementary', { name: 'Details' }).getByText(/default\/web-/).first().waitFor();
    await close();
  });

  test('find lights up what is meant', async () => {
    const { page, close } = await signedIn();
    await page.getByLabel('Find').fill('web-');
    await page.getByText('12 matches').waitFor();
    await page.reload();
    await page.getByText('12 matches').waitFor();
    await close();
  });

  test('why pending, and a suggestion that is tried and applied until the pod runs', async () => {
    // The pod that was asked about goes when its deployment is changed.
    const { page, close } = await signedIn({ allowed: ['the server responded with a status of 404'] });
    await cluster.request('POST', DEPLOYMENTS, deployment('default', 'big', 1, '64'));
    await page.getByRole('link', { name: /pod waits for a node/ }).click();
    await page.getByRole('heading', { name: /default\/big-/ }).waitFor();
    await page.getByText('NodeResourcesFit').first().waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Try or apply …' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${DEPLOYMENTS}/big`).waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Apply', exact: true }).isDisabled());
    await dialog.getByRole('button', { name: 'Try (dry run)' }).click();
    await dialog.getByText('Nothing has changed').waitFor();
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    await dialog.getByText('Done').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No pod waits for a node').waitFor();
    await cluster.request('DELETE', `${DEPLOYMENTS}/big`);
    await close();
  });

  test('what if a zone is lost', async () => {
    const { page, close } = await signedIn({ allowed: ['the server responded with a status of 400'] });
    await page.getByRole('link', { name: 'What if' }).click();
    await page.getByLabel(/^What/).selectOption('zone zone-b');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'What then?' }).click();
    await page.getByText(/pods? moves?/).waitFor();
    await page.reload();
    await page.getByText(/pods? moves?/).waitFor();
    await page.getByLabel(/Steps, as in/).fill('- lose: {zone: nowhere}');
    await page.getByRole('button', { name: 'What then?' }).click();
    await page.getByRole('alert').filter({ hasText: 'nowhere' }).waitFor();
    await close();
  });

  test('the timeline tells decisions', async () => {
    const { page, close } = await signedIn();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('row').filter({ hasText: 'placed' }).first().waitFor();
    await page.getByLabel('Result').selectOption('placed');
    await page.getByRole('row').filter({ hasText: /Successfully assigned/ }).first().waitFor();
    await close();
  });

  test('scores of a pod, down to what they are made of', async () => {
    const { page, close } = await signedIn();
    const pods = await cluster.request('GET', '/api/v1/namespaces/default/pods?labelSelector=app%3Dweb&limit=1');
    await page.goto(`${cluster.console}#/scores?pod=default/${pods.items[0].metadata.name}`);
    await page.getByRole('columnheader', { name: /NodeResourcesFit/ }).waitFor();
    await page.getByRole('rowheader').first().getByRole('button').click();
    await page.getByText(/raw .* normalised .* times/).first().waitFor();
    await close();
  });
});

describe('who may see little', () => {
  test('is told so, and sees nothing of others', async () => {
    const role = 'rbac.authorization.k8s.io';
    await cluster.request('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
    await cluster.request('POST', `/apis/${role}/v1/namespaces/team/rolebindings`, {
      metadata: { name: 'view' },
      subjects: [{ kind: 'User', name: 'alice', apiGroup: role }],
      roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: role },
    });
    await cluster.request('POST', '/apis/apps/v1/namespaces/team/deployments', deployment('team', 'own', 2, '100m'));
    const { page, close } = await open(browser, cluster, { allowed: UNKNOWN });
    await page.goto(cluster.console);
    await page.getByLabel('Or a bearer token').fill(TOKENS.alice);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You see part of this cluster').waitFor();
    await page.getByText('2 pods', { exact: false }).first().waitFor();
    assert.ok(!(await page.content()).includes('web-'));
    await cluster.request('DELETE', '/apis/apps/v1/namespaces/team/deployments/own');
    await close();
  });
});

describe('everybody', () => {
  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing: ${colorScheme}`, async () => {
      const { page, close } = await signedIn({ colorScheme });
      for (const address of ['#/map', '#/map?as=list&node=node-1', '#/map?node=node-1', '#/pending', '#/scores', '#/whatif', '#/timeline']) {
        await page.goto(cluster.console + address);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const found = await page.evaluate(`${axe}; axe.run().then((all) => all.violations.map((each) => each.id + ': ' + each.nodes.map((node) => node.html).join(' | ')))`);
        assert.deepEqual(found, [], `${address} ${colorScheme}`);
      }
      await close();
    });
  }

  for (const width of [360, 768, 1280, 2560]) {
    test(`nothing sticks out at ${width} pixels`, async () => {
      const { page, close } = await signedIn({ viewport: { width, height: 800 } });
      for (const view of ['map', 'pending', 'scores', 'whatif', 'timeline']) {
        await page.goto(`${cluster.console}#/${view}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${view} is ${wide} pixels too wide`);
      }
      await close();
    });
  }
});
