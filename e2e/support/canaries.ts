import { type Page, expect } from '@playwright/test';

/**
 * What an organisation could call itself to be carried out where it should be read. Each would say so by a dialog, and each would leave
 * an element with the attribute `q` behind even where the page's policy forbids it to run.
 */
export const CANARIES = {
  /** 120 letters. */
  name: `K</title><script q>alert(1)</script>"><img q src=x onerror=alert(2)>'><svg q onload=alert(3)>\${alert(4)}{{alert(4)}}`,
  company: `C--><iframe q srcdoc="<script>parent.alert(5)</script>"></iframe><a q href=javascript:alert(6)>c</a></textarea>`,
  parent: `P</style><style q>@import'//x'</style><math q><mtext><svg/q/onload=alert(7)>&lt;img q src=x onerror=alert(8)&gt;`,
  /** 40 letters. */
  assistant: `A</title><img q src=x onerror=alert(9)>`,
  /** 80 letters. */
  agent: `"><body q onload=alert(10)><object q data=data:text/html,x>`,
  /** 20 letters. */
  phone: `javascript:alert(11)`,
  contact: `<details q open ontoggle=alert(12)><input q autofocus onfocus=alert(13)>","x":"\\u003cimg q src=x>`,
  text: `Privacy\n<script q>alert(14)</script>\n[x](javascript:alert(15)) ![x](x" onerror="alert(16))\n<base q href=//x><meta q http-equiv=refresh content=0>`,
  /** 60 letters: a plan, a shop. */
  plan: `L"><img q src=x onerror=alert(17)><b q>`,
  shop: `S</script><img q src=x onerror=alert(18)>'"`,
  person: 'Canary',
} as const;

/** Listens to one page: whatever was carried out, or was only kept from it by the policy. */
export async function listenFor(page: Page): Promise<() => string[]> {
  const heard: string[] = [];
  page.on('dialog', (dialog) => {
    heard.push(`${page.url()}: dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => heard.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy|violates the following/i.test(message.text()))
      heard.push(`${page.url()}: ${message.text()}`);
  });
  page.on('popup', (popup) => heard.push(`${page.url()}: opened ${popup.url()}`));
  return () => heard;
}

/** No element came of any word. */
export async function expectOnlyWords(page: Page): Promise<void> {
  expect(page.frames(), page.url()).toHaveLength(1);
  const made = await page.evaluate(() =>
    [
      ...document.querySelectorAll('[q],[onerror],[onload],[ontoggle],[onfocus],base,object,a[href^="javascript" i]'),
    ].map((element) => element.outerHTML),
  );
  expect(made, page.url()).toEqual([]);
}
