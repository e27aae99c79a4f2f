/** What whoever runs the installation can put right. The message says to them what is wrong and what to do; it holds no secret, and no stack helps. */
export class OperatorError extends Error {}
