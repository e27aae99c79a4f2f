/**
 * Every parameter that the specification names (its section 3), in queries and in bodies. A client written from the specification
 * alone sends them where they seem to belong: a call that has a use for one says so in its shape, every other call takes no notice of it.
 * A name that stands neither here nor in the call's own shape is a mistake and is answered as one.
 */
export const SPEC_PARAMETERS = [
  'customer_id',
  'device_id',
  'mpin',
  'status',
  'deviceQuery',
  'lock_status',
  'account_id',
  'app_type',
  'document_type',
  'from',
  'to',
  'user_type',
  'image_name',
  'page',
  'search',
  'refresh',
  'retailer_id',
  'device_query',
  'user_id',
  'product_id',
  'plan_id',
  'serial_number',
] as const;
