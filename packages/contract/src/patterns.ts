/** What people type of numbers and papers, as text; without schemas, so that the app says beside the field what the server would refuse. */

/** An Indian mobile number, with or without +91. */
export const MOBILE = /^(\+91)?[6-9]\d{9}$/;
export const PINCODE_OR_NONE = /^([1-9]\d{5})?$/;
export const AADHAAR_LAST4 = /^\d{4}$/;
/** Of a bank account in UPI: name@bank. */
export const UPI_ID = /^[A-Za-z0-9._-]{2,60}@[A-Za-z][A-Za-z0-9.-]{1,30}$/;
export const PAN = /^[A-Z]{5}\d{4}[A-Z]$/;
