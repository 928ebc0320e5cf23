// The pictures of docs/guides/console.md, from a running console: one per view, light and dark.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deployment, start } from './berth.mjs';
import { launch, open } from './browser.mjs';

const folder = process.argv[2] ?? '../../docs/images';
const fleet = new URL('./fleet.yaml', import.meta.url).pathname;

const cluster = await start(process.env.BERTH ?? '../../berth', '--fleet', fleet);
const browser = await launch();
await mkdir(folder, { recursive: true });

try {
  for (const namespace of ['shop', 'batch', 'ml']) {
    await cluster.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  }
  const spread = (app) => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { app } } },
    ],
  });
  const all = [
    ['shop', 'web', 60, '900m', spread('web')],
    ['shop', 'cart', 36, '400m', spread('cart')],
    ['shop', 'search', 18, '1500m', {}],
    ['shop', 'cache', 9, '2', {}],
    ['batch', 'etl', 30, '700m', {}],
    ['batch', 'report', 12, '1200m', {}],
    ['ml', 'serve', 16, '2500m', {}],
    ['ml', 'features', 24, '300m', {}],
    ['ml', 'train', 4, '9', {}],
    ['batch', 'nightly', 3, '12', {}],
  ];
  for (const [namespace, name, replicas, cpu, more] of all) {
    await cluster.request('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, deployment(namespace, name, replicas, cpu, more));
  }
  await cluster.request('PATCH', '/api/v1/nodes/std-5', { spec: { unschedulable: true } }, 'application/merge-patch+json');

  for (const colorScheme of ['light', 'dark']) {
    const { page, close } = await open(browser, cluster, { colorScheme, viewport: { width: 1200, height: 720 } });
    await page.goto(await cluster.invitation());
    await page.getByText('212 pods').first().waitFor();
    await page.getByText(/pods wait for a node/).waitFor();
    const shoot = (name) => page.screenshot({ path: join(folder, `console-${name}-${colorScheme}.png`) });
    await page.mouse.move(5, 5);
    await shoot('map');
    await page.goto(`${cluster.console}#/pending`);
    await page.getByText('What helps').waitFor();
    await shoot('pending');
    const pods = await cluster.request('GET', '/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb&limit=1');
    await page.goto(`${cluster.console}#/scores?pod=shop/${pods.items[0].metadata.name}`);
    await page.getByRole('columnheader', { name: /NodeResourcesFit/ }).waitFor();
    await shoot('scores');
    await page.goto(`${cluster.console}#/whatif?steps=${encodeURIComponent('- lose: {zone: zone-b}')}`);
    await page.getByText(/pods move/).waitFor();
    await shoot('whatif');
    await page.goto(`${cluster.console}#/timeline`);
    await page.getByRole('row').filter({ hasText: 'placed' }).first().waitFor();
    await shoot('timeline');
    await close();
  }
} finally {
  await browser.close();
  await cluster.stop();
}
