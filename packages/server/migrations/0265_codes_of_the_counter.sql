-- Codes that a shop asks its customer for (consent, theft) have a budget of their own: what a shop uses up about a number is missing to no other shop, and
-- not to the customer's own sessions. Of a few thousand rows (a day's codes): checked once, under a lock of a moment.
alter table otps drop constraint otps_lane_check;
alter table otps add constraint otps_lane_check check (lane in ('device', 'address', 'stranger', 'session', 'counter'));
