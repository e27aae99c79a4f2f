/**
 * Method and path of every call, without zod: the app's client and the server's routes read the same table.
 * Full shapes: `endpoints.ts`.
 */
export interface CallPath {
  method: 'GET' | 'POST';
  path: string;
  idempotent?: true;
  multipart?: true;
}

export const PATHS = {
  // organisation and configuration
  getOrgAppConfig: { method: 'GET', path: '/api/organizations/get_org_app_config' },
  getAppConfigs: { method: 'GET', path: '/api/config/get_app_configs' },
  getAccessConfig: { method: 'GET', path: '/api/config/access-config' },
  getUserAccess: { method: 'GET', path: '/api/user/user_access' },
  // people
  listUsers: { method: 'GET', path: '/api/user' },
  getUsers: { method: 'GET', path: '/country/getUsers' },
  addUser: { method: 'POST', path: '/country/addUsers', idempotent: true },
  updateUser: { method: 'POST', path: '/country/updateUsers', idempotent: true },
  suspendUser: { method: 'POST', path: '/api/user/suspend', idempotent: true },
  activateUser: { method: 'POST', path: '/api/user/activate', idempotent: true },
  readUserById: { method: 'POST', path: '/api/user/readById' },
  getUserDetails: { method: 'GET', path: '/api/user/get-details' },
  getRetailerProfile: { method: 'GET', path: '/api/user/getRetailerProfile' },
  getRetailerProfileOfCountry: { method: 'GET', path: '/country/getRetailerProfile' },
  uploadRetailerQr: { method: 'POST', path: '/upload/retailer_qr', multipart: true },
  uploadRetailerSignature: { method: 'POST', path: '/upload/retailer_signature', multipart: true },
  getUserPicture: { method: 'GET', path: '/api/user/picture' },
  transferCustomers: { method: 'POST', path: '/api/user/transfer_customers', idempotent: true },
  signupRequest: { method: 'POST', path: '/api/user/signup_request' },
  // sign-in and sessions
  loginWithOtp: { method: 'POST', path: '/api/auth/loginWithOtp' },
  verifyOtpAuth: { method: 'POST', path: '/api/auth/verifyOtpAuth' },
  resendOtp: { method: 'POST', path: '/api/auth/resend-otp' },
  forgotPassword: { method: 'POST', path: '/api/auth/forgot-password' },
  resetPassword: { method: 'POST', path: '/api/auth/reset-password' },
  sendOtpToUser: { method: 'POST', path: '/api/auth/send-otp-to-user' },
  setMpin: { method: 'POST', path: '/api/auth/set-mpin' },
  logout: { method: 'POST', path: '/api/auth/logout' },
  offerPasskey: { method: 'POST', path: '/api/auth/passkeys/offer' },
  addPasskey: { method: 'POST', path: '/api/auth/passkeys/add' },
  askPasskey: { method: 'POST', path: '/api/auth/passkeys/ask' },
  enterByPasskey: { method: 'POST', path: '/api/auth/passkeys/enter' },
  myPasskeys: { method: 'GET', path: '/api/auth/passkeys/mine' },
  removePasskey: { method: 'POST', path: '/api/auth/passkeys/remove' },
  mySessions: { method: 'GET', path: '/api/sessions/my-sessions' },
  logoutMySession: { method: 'POST', path: '/api/sessions/logout-my-session' },
  // customers
  listCustomers: { method: 'GET', path: '/api/customer' },
  listCustomersKeygen: { method: 'GET', path: '/api/customer/get_customers_keygen' },
  registerCustomer: { method: 'POST', path: '/country/customerRegistrationByKegenUpdateV3', idempotent: true },
  getCustomerProfile: { method: 'GET', path: '/country/getCustomerProfile' },
  sendConsentCode: { method: 'POST', path: '/api/customer/send_consent_code' },
  collectConsent: { method: 'POST', path: '/api/customer/collect_consent' },
  deleteDraft: { method: 'POST', path: '/api/customer/delete-draft', idempotent: true },
  previewCancellation: { method: 'GET', path: '/api/customer/cancellation' },
  cancelAgreement: { method: 'POST', path: '/api/customer/cancel_agreement', idempotent: true },
  previewExchange: { method: 'GET', path: '/api/customer/phone_exchange' },
  updateCustomerDetails: { method: 'POST', path: '/country/update_customer_detailsV3', idempotent: true },
  generateEmmCode: { method: 'GET', path: '/api/customer/generate_emm_code' },
  generateLinkCode: { method: 'POST', path: '/emm/generate_code_linkfl' },
  getCustomerQrCode: { method: 'GET', path: '/api/customer/get_customers_qrCode' },
  uploadSignature: { method: 'POST', path: '/upload/signature', multipart: true },
  uploadWitnessSignature: { method: 'POST', path: '/upload/witness_signature', multipart: true },
  uploadInvoice: { method: 'POST', path: '/upload/invoice', multipart: true },
  uploadCustomerPhoto: { method: 'POST', path: '/upload/update_customer_details', multipart: true },
  getCustomerDocuments: { method: 'GET', path: '/api/customer/customer_document' },
  uploadCustomerDocument: { method: 'POST', path: '/api/customer/customer_document', multipart: true },
  getDocument: { method: 'GET', path: '/api/customer/document' },
  listPlans: { method: 'GET', path: '/api/plans' },
  getPhoneModel: { method: 'GET', path: '/api/phone_model' },
  getKeys: { method: 'GET', path: '/api/points/getBalanceTypesWithScheme' },
  // instalments and money
  previewEmi: { method: 'POST', path: '/api/emi/preview' },
  getEmiDetails: { method: 'POST', path: '/country/get_emi_details' },
  customerEmiDetails: { method: 'POST', path: '/api/emi/customer_emi_details' },
  updateEmiStatus: { method: 'POST', path: '/country/update_emi_status', idempotent: true },
  multipleEmiPaid: { method: 'POST', path: '/api/emi/multiple_emi_paid', idempotent: true },
  reversePayment: { method: 'POST', path: '/api/emi/reverse_payment', idempotent: true },
  claimPayment: { method: 'POST', path: '/api/payments/claim', idempotent: true },
  answerClaim: { method: 'POST', path: '/api/payments/answer_claim', idempotent: true },
  getPayTo: { method: 'GET', path: '/api/payments/pay_to' },
  listRefunds: { method: 'GET', path: '/api/payments/refunds' },
  refundDone: { method: 'POST', path: '/api/payments/refund_done', idempotent: true },
  sendPenalty: { method: 'POST', path: '/api/customer/send_penalty', idempotent: true },
  waivePenalty: { method: 'POST', path: '/api/emi/waive_penalty', idempotent: true },
  decideWaiver: { method: 'POST', path: '/api/emi/decide_waiver', idempotent: true },
  getUpcomingEmi: { method: 'GET', path: '/api/emi/getUpcomingEmi' },
  upcomingEmiCounts: { method: 'GET', path: '/country/upcoming_emi_counts' },
  previewEmiAlert: { method: 'POST', path: '/country/preview_emialert' },
  sendEmiAlert: { method: 'POST', path: '/country/send_emialert', idempotent: true },
  getDashboard: { method: 'GET', path: '/api/stats/get_keygen_dashboardV1' },
  getTotalOutstanding: { method: 'GET', path: '/api/stats/getTotalOutStanding' },
  trialBalance: { method: 'GET', path: '/api/stats/trial-balance' },
  // phones
  sendCommand: { method: 'POST', path: '/api/device/commands/:command', idempotent: true },
  previewCommand: { method: 'POST', path: '/api/device/preview/:command' },
  getPhoneMessages: { method: 'GET', path: '/api/device/messages' },
  bulkCommand: { method: 'POST', path: '/api/device/bulk', idempotent: true },
  getBatch: { method: 'GET', path: '/api/device/bulk/:batch_id' },
  getDevice: { method: 'GET', path: '/api/device/:device_id' },
  getTimeline: { method: 'GET', path: '/api/device/:device_id/timeline' },
  unclaimCustomer: { method: 'POST', path: '/api/device/unclaim_customer', idempotent: true },
  unclaim: { method: 'POST', path: '/country/unclaim', idempotent: true },
  reportLost: { method: 'POST', path: '/api/device/report_lost', idempotent: true },
  withdrawLost: { method: 'POST', path: '/api/device/report_lost/withdraw', idempotent: true },
  sendTheftCode: { method: 'POST', path: '/api/device/theft/code' },
  reportTheft: { method: 'POST', path: '/api/device/theft/report', idempotent: true },
  liftTheft: { method: 'POST', path: '/api/device/theft/lift', idempotent: true },
  openDispute: { method: 'POST', path: '/api/agreement/dispute', idempotent: true },
  escalateDispute: { method: 'POST', path: '/api/agreement/dispute/escalate', idempotent: true },
  closeDispute: { method: 'POST', path: '/api/agreement/dispute/close', idempotent: true },
  decideDispute: { method: 'POST', path: '/api/agreement/dispute/decide', idempotent: true },
  listDisputes: { method: 'GET', path: '/api/agreement/disputes' },
  setHold: { method: 'POST', path: '/api/agreement/hold', idempotent: true },
  liftHold: { method: 'POST', path: '/api/agreement/hold/lift', idempotent: true },
  getNoticeLink: { method: 'GET', path: '/api/agreement/notice_link' },
  getCertificate: { method: 'GET', path: '/api/agreement/certificate' },
  renewNoticeLink: { method: 'POST', path: '/api/agreement/notice_link/renew', idempotent: true },
  listNotifications: { method: 'GET', path: '/api/notifications' },
  readNotifications: { method: 'POST', path: '/api/notifications/read' },
  // the administrator's rules of locking
  getLockPolicy: { method: 'GET', path: '/api/policy' },
  choosePolicy: { method: 'POST', path: '/api/policy/choose', idempotent: true },
  changePolicy: { method: 'POST', path: '/api/policy/change', idempotent: true },
  previewPolicy: { method: 'POST', path: '/api/policy/preview' },
  getLockRules: { method: 'GET', path: '/api/policy/rules' },
  getComingSteps: { method: 'POST', path: '/api/policy/coming' },
  listHolidays: { method: 'GET', path: '/api/holidays' },
  addHolidays: { method: 'POST', path: '/api/holidays/add', idempotent: true },
  removeHolidays: { method: 'POST', path: '/api/holidays/remove', idempotent: true },
  getInvariants: { method: 'GET', path: '/api/invariants' },
  // the audit
  getAuditRoots: { method: 'GET', path: '/api/audit/roots' },
  getCustomerHistory: { method: 'GET', path: '/api/audit/history' },
} as const satisfies Record<string, CallPath>;
export type CallName = keyof typeof PATHS;

/**
 * Live state of one phone (GET, server-sent events, the same headers as every call, so read it with fetch). Each `state` event carries
 * `data` of getDevice as it is now: at once, and whenever something was ordered or reported. The server ends the stream after
 * LIMITS.liveStreamS; the app opens it again.
 */
export const DEVICE_EVENTS_PATH = '/api/device/:device_id/events';
