/** Where the reader is: everything that makes an address worth sharing stands behind the `#`. */
export interface Route {
  view: string;
  params: URLSearchParams;
}

export function parse(hash: string): Route {
  const text = hash.startsWith('#/') ? hash.slice(2) : '';
  const at = text.indexOf('?');
  const view = at < 0 ? text : text.slice(0, at);
  return { view: view || 'map', params: new URLSearchParams(at < 0 ? '' : text.slice(at + 1)) };
}

/** A one-time code, which is what follows a bare `#`; `''` if there is none. */
export function codeIn(hash: string): string {
  return /^#[A-Za-z0-9_-]{20,100}$/.test(hash) ? hash.slice(1) : '';
}

export function href(view: string, params: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value) query.set(name, value);
  }
  const text = query.toString();
  return `#/${view}${text ? `?${text}` : ''}`;
}

class Router {
  now = $state(parse(location.hash));

  constructor() {
    addEventListener('hashchange', () => {
      this.now = parse(location.hash);
    });
  }

  go(view: string, params: Record<string, string> = {}): void {
    location.hash = href(view, params);
  }

  /** Changes parameters of this view; `''` removes one. No new step back. */
  set(changes: Record<string, string>): void {
    const params: Record<string, string> = Object.fromEntries(this.now.params);
    history.replaceState(null, '', href(this.now.view, { ...params, ...changes }));
    this.now = parse(location.hash);
  }

  param(name: string): string {
    return this.now.params.get(name) ?? '';
  }
}

export const router = new Router();
