/**
 * The pages of one console under test. Each stands for the browser of another person or computer. A used page loads
 * the console in a third of the processor time of a new page, so pages are reused after their storage is cleared.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished, TestRunner } from 'vitest';

export interface OpenOptions {
  readonly theme?: 'light' | 'dark';
  /** Pixels; default: 1440 by 900. */
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  /** The reader's language; default: `en-GB`. */
  readonly locale?: string;
  /** Whether no other test may reuse the page, because a change to it, such as a clock, cannot be undone. */
  readonly isSpoilt?: boolean;
}

/** The options of a page, with the defaults filled in. */
type Looks = Required<Omit<OpenOptions, 'isSpoilt'>>;

interface PooledPage {
  readonly page: Page;
  readonly looks: Looks;
}

export class PagePool {
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #onPage: (page: Page) => void;
  readonly #contexts = new Set<BrowserContext>();
  #idle: PooledPage[] = [];
  #openedCount = 0;

  /** `onPage` is called once for each page, and for each page that one of them opens. */
  constructor(browser: Browser, origin: string, onPage: (page: Page) => void) {
    this.#browser = browser;
    this.#origin = origin;
    this.#onPage = onPage;
  }

  /** Opens a page until the end of the test. A page that is opened outside of a test stays open. */
  async open(options: OpenOptions = {}): Promise<Page> {
    const { isSpoilt = false, theme = 'light', width = 1440, height = 900 } = options;
    const { reducedMotion = true, locale = 'en-GB' } = options;
    const looks: Looks = { theme, width, height, reducedMotion, locale };
    const page = this.#takeIdle(looks) ?? (await this.#openNew(looks));
    await page.context().setExtraHTTPHeaders({ 'X-Forwarded-For': this.#nextNetwork() });
    if (TestRunner.getCurrentTest() !== undefined) {
      onTestFinished(() => (isSpoilt ? this.#drop(page) : this.#takeBack({ page, looks })));
    }
    return page;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#contexts].map((context) => context.close()));
  }

  #takeIdle(looks: Looks): Page | undefined {
    const wanted = JSON.stringify(looks);
    const found = this.#idle.find((one) => JSON.stringify(one.looks) === wanted);
    this.#idle = this.#idle.filter((one) => one !== found);
    return found?.page;
  }

  async #openNew({ theme, width, height, reducedMotion, locale }: Looks): Promise<Page> {
    const context = await this.#browser.newContext({
      baseURL: this.#origin,
      colorScheme: theme,
      viewport: { width, height },
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
      locale,
      timezoneId: 'Europe/Zurich',
    });
    context.setDefaultTimeout(20_000);
    context.on('page', this.#onPage);
    this.#contexts.add(context);
    return context.newPage();
  }

  /** Each browser has its own network, because signing in is limited by network. */
  #nextNetwork(): string {
    this.#openedCount += 1;
    return `10.${this.#openedCount >> 8}.${this.#openedCount & 255}.1`;
  }

  async #takeBack(pooled: PooledPage): Promise<void> {
    const { page, looks } = pooled;
    const context = page.context();
    try {
      for (const other of context.pages()) if (other !== page) await other.close();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.emulateMedia({ colorScheme: looks.theme });
      await page.setViewportSize({ width: looks.width, height: looks.height });
      // A page of the same origin without the console, so nothing writes to the storage any more.
      await page.goto('/healthz');
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      await context.clearCookies();
      this.#idle.push(pooled);
    } catch {
      // The test has closed the page, or it is stuck: the next test gets a new page.
      await this.#drop(page);
    }
  }

  async #drop(page: Page): Promise<void> {
    this.#contexts.delete(page.context());
    await page.context().close();
  }
}
