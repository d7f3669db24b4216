-- A database as version 7 of the schema makes it, with something in every table. It is not changed any more.

CREATE TABLE clocks (
  key INTEGER PRIMARY KEY,
  boot TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  UNIQUE (boot, epoch)
) STRICT;
INSERT INTO clocks VALUES(1,'6f1ed002-ab59-41b7-9c0b-5f6e7d8c9a0b',1700000000000000000);
CREATE TABLE names (
  key INTEGER PRIMARY KEY,
  uid INTEGER NOT NULL,
  name TEXT NOT NULL,
  user TEXT,
  wake TEXT,
  has_visits INTEGER NOT NULL DEFAULT 0,
  last_event INTEGER NOT NULL DEFAULT 0,
  dropped INTEGER NOT NULL DEFAULT 0, view TEXT,
  UNIQUE (uid, name)
) STRICT;
INSERT INTO names VALUES(1,1000,'tracker','user1000','tracker.service',1,16,3,'precise');
INSERT INTO names VALUES(2,4294967294,'café "1"','user4294967294',NULL,0,2,0,'reduced 900');
CREATE TABLE retired (
  uid INTEGER PRIMARY KEY,
  last_event INTEGER NOT NULL
) STRICT;
INSERT INTO retired VALUES(1000,21);
CREATE TABLE regions (
  key INTEGER PRIMARY KEY,
  name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  standing TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks,
  UNIQUE (name, id)
) STRICT;
INSERT INTO regions VALUES(1,1,'home','{"circle":{"latitude":48.137,"longitude":11.575,"radius":150},"dwellTime":[300,0],"expiresIn":[86400,0],"id":"home","initial":"ifInside","latency":[1,500000000000000000],"notify":["enter","exit","dwell"]}','{"expiry":90000000000000,"hasDwelled":true,"since":4000500000000,"state":"inside"}',1);
INSERT INTO regions VALUES(2,1,'park','{"corners":"qMZLN4kRSEBmZmZmZiYnQJqZmZmZGUhAAAAAAAAAJ0AAAAAAAABIQAAAAAAAACZA","id":"park","initial":"none","notify":[]}','{"hasDwelled":false,"state":"unknown"}',1);
INSERT INTO regions VALUES(3,1,'field','{"cap":[0.5,-0.25,0.75,0.125],"corners":"AAAAAABASUAAAAAAAIAgQAAAAAAAQElAAAAAAAAAIUBVVVVVVVXVvwAAAAAAACFA","id":"field","initial":"none","notify":[],"reach":2.5}','{"hasDwelled":false,"state":"unknown"}',1);
CREATE TABLE positions (
  name INTEGER PRIMARY KEY REFERENCES names ON DELETE CASCADE,
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks
) STRICT;
INSERT INTO positions VALUES(1,'{"expiry":12000000000000,"lastDelivered":{"altitude":519,"arrival":5000125000000,"course":271,"courseAccuracy":10,"device":"/dev/ttyACM0","ellipsoidalAltitude":566.25,"horizontalAccuracy":3.5,"isReduced":true,"latitude":48.137,"longitude":11.575,"mode":"3d","satellitesUsed":9,"speed":1.5,"speedAccuracy":0.5,"status":"dgnss","time":800000000.5,"verticalAccuracy":7},"parameters":{"acquire":{"acceptableAccuracy":80,"budget":[20,0],"desiredAccuracy":8},"activity":"automotive","autoPause":true,"deferredDistance":1000,"deferredTimeout":[600,0],"duration":[7200,0],"maxInterval":[60,0],"maxUpdates":50,"meters":25,"minDistance":10,"minInterval":[2,0],"mode":"significant","onlyBetterThan":100,"replay":"any","significantDistance":250,"significantInterval":[120,0]},"updates":4}',1);
INSERT INTO positions VALUES(2,'{"isAcquiring":true,"isPaused":true,"parameters":{"activity":"other","autoPause":false,"level":"room","minDistance":0,"minInterval":[1,0],"mode":"significant","replay":"fresh","significantDistance":500,"significantInterval":[300,0]},"updates":1}',1);
CREATE TABLE events (
  name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
  id INTEGER NOT NULL,
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks,
  PRIMARY KEY (name, id)
) STRICT;
INSERT INTO events VALUES(1,11,'{"at":4000500000000,"region":{"fix":{"altitude":519,"arrival":5000125000000,"course":271,"courseAccuracy":10,"device":"/dev/ttyACM0","ellipsoidalAltitude":566.25,"horizontalAccuracy":3.5,"isReduced":true,"latitude":48.137,"longitude":11.575,"mode":"3d","satellitesUsed":9,"speed":1.5,"speedAccuracy":0.5,"status":"dgnss","time":800000000.5,"verticalAccuracy":7},"isInferred":true,"kind":"enter","passage":{"from":3990000000000,"to":3995000000000},"probability":0.95,"region":"home","state":"inside"}}',1);
INSERT INTO events VALUES(1,12,'{"at":4100000000000,"position":{"achievedAccuracy":"house","availability":"available","dropped":2,"fix":{"altitude":519,"arrival":5000125000000,"course":271,"courseAccuracy":10,"device":"/dev/ttyACM0","ellipsoidalAltitude":566.25,"horizontalAccuracy":3.5,"isReduced":true,"latitude":48.137,"longitude":11.575,"mode":"3d","satellitesUsed":9,"speed":1.5,"speedAccuracy":0.5,"status":"dgnss","time":800000000.5,"verticalAccuracy":7},"fixes":[{"arrival":-20000000000,"latitude":-33.5,"longitude":-70.25,"mode":"2d","status":"gnss"},{"altitude":519,"arrival":5000125000000,"course":271,"courseAccuracy":10,"device":"/dev/ttyACM0","ellipsoidalAltitude":566.25,"horizontalAccuracy":3.5,"isReduced":true,"latitude":48.137,"longitude":11.575,"mode":"3d","satellitesUsed":9,"speed":1.5,"speedAccuracy":0.5,"status":"dgnss","time":800000000.5,"verticalAccuracy":7}],"isRepeat":true,"isReplay":true,"reason":"distance","state":"delivering"}}',1);
INSERT INTO events VALUES(1,13,'{"at":4200000000000,"visit":{"arrival":3600000000000,"departure":4200000000000,"horizontalAccuracy":12,"id":3,"latitude":48.137,"longitude":11.575}}',1);
INSERT INTO events VALUES(2,1,'{"at":6000000000000,"region":{"fix":{"arrival":5000125000000,"horizontalAccuracy":2000,"isReduced":true,"latitude":48.132,"longitude":11.572265625,"mode":"2d","status":"gnss","time":800000000},"isInferred":false,"isReduced":true,"kind":"exit","probability":0.25,"region":"town","state":"outside"}}',1);
INSERT INTO events VALUES(2,2,'{"at":6100000000000,"visit":{"horizontalAccuracy":2000,"id":4,"latitude":48.132,"longitude":11.572265625}}',1);
INSERT INTO events VALUES(1,14,'{"at":4300000000000,"visit":{"arrival":3500000000000,"arrivalUncertainty":[90,0],"departure":4200000000000,"departureUncertainty":[1,500000000000000000],"horizontalAccuracy":12,"id":5,"latitude":0,"longitude":90}}',1);
INSERT INTO events VALUES(1,15,'{"at":4400000000000,"region":{"isInferred":false,"isInitial":true,"kind":"enter","probability":1,"region":"home","state":"inside"}}',1);
INSERT INTO events VALUES(1,16,'{"at":4500000000000,"position":{"availability":"lost","dropped":0,"isRepeat":false,"isReplay":false,"reason":"paused","state":"ended"}}',1);
CREATE TABLE unreadable (
  key INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  uid INTEGER,
  name TEXT,
  id TEXT,
  body TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE TABLE decisions (
  uid INTEGER PRIMARY KEY,
  user TEXT NOT NULL,
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks
) STRICT;
INSERT INTO decisions VALUES(1000,'user1000','{"at":4900500000000,"level":"always","precision":"reduced"}',1);
INSERT INTO decisions VALUES(1001,'user1001','{"at":4950000000000,"precision":"precise"}',1);
CREATE TABLE master_switch (
  key INTEGER PRIMARY KEY CHECK (key = 0),
  is_on INTEGER NOT NULL
, unread TEXT) STRICT;
INSERT INTO master_switch VALUES(0,0,'the database was damaged');
CREATE TABLE disguise (
  key INTEGER PRIMARY KEY CHECK (key = 0),
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks
) STRICT;
INSERT INTO disguise VALUES(0,'{"drifted":3600000000000,"east":-312.5,"north":640.25,"told":{"arrival":5000125000000,"horizontalAccuracy":2000,"isReduced":true,"latitude":48.132,"longitude":11.572265625,"mode":"2d","status":"gnss","time":800000000}}',1);
CREATE TABLE visit_memories (
  view TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks
) STRICT;
INSERT INTO visit_memories VALUES('precise','{"hasMoved":false,"lastVisit":5,"stay":{"anchor":{"count":2,"latitude":0,"longitude":90,"weight":0.25},"arrival":3500000000000,"arrivalUncertainty":[90,0],"centre":{"count":3,"latitude":0,"longitude":90,"weight":0.5},"isArrivalKnown":true,"newest":4200000000000,"start":3600000000000,"visit":5}}',1);
CREATE TABLE wake_starts (
  uid INTEGER NOT NULL,
  unit TEXT NOT NULL,
  at INTEGER NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks,
  PRIMARY KEY (uid, unit)
) STRICT;
INSERT INTO wake_starts VALUES(1000,'tracker.service',4950250000000,1);
CREATE TABLE stopped_receiver (
  key INTEGER PRIMARY KEY CHECK (key = 0),
  rung TEXT NOT NULL,
  device TEXT,
  unit TEXT
, off_unit TEXT) STRICT;
INSERT INTO stopped_receiver VALUES(0,'unit','/dev/ttyACM0','gps-on.service','gps-off.service');
CREATE TABLE receiver_memory (
  key INTEGER PRIMARY KEY CHECK (key = 0),
  body TEXT NOT NULL,
  clock INTEGER NOT NULL REFERENCES clocks
) STRICT;
INSERT INTO receiver_memory VALUES(0,'{"hot":[0,0,0,0,0,0,0,0,1,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"warm":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"cold":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0],"collected":4800000000000}',1);

PRAGMA application_id = 1886352196;
PRAGMA user_version = 7;
