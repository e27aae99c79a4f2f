-- An organisation is run by somebody who is no shop: it sees the organisation's books and nothing of a shop's customers.
alter table users drop constraint users_user_type_check;
alter table users add constraint users_user_type_check check (user_type in ('retailer', 'miniretailer', 'customer', 'admin'));
