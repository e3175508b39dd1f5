-- phase: expand
-- oldest: 8

-- Dispatch signs the custom resources that it creates: after the loss of its row, an object with an id is taken in again
-- only with that mark.

-- step: dispatch_key
-- Its one row is made at the first use.
create table dispatch_key (
  id boolean primary key default true check (id),
  key text not null
);
