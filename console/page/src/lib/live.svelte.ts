import { address, ApiError, get } from './api';
import { Cluster, type MapColumns, type MapDelta } from './cluster';

/**
 * The map, kept up to date: loaded once, then patched by server-sent changes. A page that nobody
 * looks at lets its stream go, and loads anew when it is looked at again.
 */
class Live {
  /** Grows with each change, for whoever draws. The cluster itself is no proxy: it is large. */
  version = $state(0);
  error = $state('');
  connected = $state(false);
  signedOut = $state(false);
  cluster: Cluster | null = null;

  private by = '';
  private source: EventSource | null = null;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private wanted = false;

  constructor() {
    document.addEventListener('visibilitychange', () => {
      if (!this.wanted) return;
      if (document.hidden) this.letGo();
      else void this.load();
    });
  }

  async start(by: string): Promise<void> {
    if (this.wanted && by === this.by) return;
    this.by = by;
    this.wanted = true;
    await this.load();
  }

  stop(): void {
    this.wanted = false;
    this.letGo();
  }

  private letGo(): void {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
    this.connected = false;
  }

  private async load(): Promise<void> {
    this.letGo();
    const by = this.by;
    try {
      const columns = await get<MapColumns>('map', { by });
      if (by !== this.by || !this.wanted) return;
      this.cluster = Cluster.of(columns);
      this.error = '';
      this.failures = 0;
      this.version++;
      this.follow();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    if (error instanceof ApiError && error.code === 401) {
      this.signedOut = true;
      this.stop();
      return;
    }
    this.error = error instanceof Error ? error.message : String(error);
    this.again();
  }

  private again(): void {
    const wait = Math.min(500 * 2 ** this.failures++, 15_000);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.load(), wait);
  }

  private follow(): void {
    const cluster = this.cluster;
    if (!cluster || document.hidden) return;
    const source = new EventSource(address('stream', { by: this.by, since: cluster.rev }));
    this.source = source;
    source.onopen = () => {
      this.connected = true;
      this.error = '';
    };
    source.addEventListener('map', (event) => {
      cluster.apply(JSON.parse(event.data) as MapDelta);
      this.version++;
    });
    source.addEventListener('reset', () => void this.load());
    source.addEventListener('end', () => void this.load());
    source.onerror = () => {
      this.connected = false;
      this.letGo();
      this.again();
    };
  }
}

export const live = new Live();
