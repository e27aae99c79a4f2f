/** One text message on its way out. */
export interface TextMessage {
  /** E.164, e.g. +919000000003. */
  to: string;
  body: string;
  /** What it is about. */
  template: string;
  /** Which registered text it is (Indian operators want to know): another one when the words are others. */
  template_id: string;
  /** Ours; the gateway sends a message of one reference once, and names it in its receipt. */
  reference: string;
}

/** A way to send text messages. Several tries with one reference are one message. */
export interface SmsProvider {
  /**
   * @returns the gateway's own id of the message
   * @throws GatewayRefusal when nothing is taken, Error when this one was not; the outbox tries again
   */
  send(message: TextMessage, signal: AbortSignal): Promise<{ id: string }>;
}
