import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The page stands in the tree, so that a build without Node has it too; the same sources give the
// same bytes.
export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../src/main/resources/io/berth/console/page/files',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
  test: { include: ['src/**/*.test.ts'] },
});
