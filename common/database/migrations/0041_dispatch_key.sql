-- phase: expand
-- oldest: 8

-- Dispatch signs the custom resources that it creates: after the loss of its row, an object with an id is taken in again
-- only with that mark.

-- step: dispatch_key
create table dispatch_key (
  id boolean primary key default true check (id),
  key text not null
);

-- step: key
-- A UUID has 122 random bits of the server's strong source.
insert into dispatch_key (key) values (gen_random_uuid()::text || gen_random_uuid()::text);
