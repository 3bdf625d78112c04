/// The tables of alerts.
enum AlertTables {
  /// Rules with the conditions and receivers as JSON, what each is true of, and messages on their way.
  ///
  /// `alert_minutes` counts events by minutes since 1970, as far as `alert_cursor` has read the crashes; `first` is the
  /// first crash of the minute. `destination` is the webhook or the mailbox, by which messages are limited.
  static let first = """
    CREATE TABLE alert_rules (
      app TEXT NOT NULL, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, condition TEXT NOT NULL, receivers TEXT NOT NULL,
      enabled INTEGER NOT NULL, author TEXT NOT NULL, created REAL NOT NULL, PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE alert_states (
      app TEXT NOT NULL, rule TEXT NOT NULL, subject TEXT NOT NULL, title TEXT NOT NULL, entered REAL NOT NULL,
      reminded REAL NOT NULL, PRIMARY KEY (app, rule, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE alert_cursor (id INTEGER PRIMARY KEY CHECK (id = 1), crash INTEGER NOT NULL) STRICT;
    CREATE TABLE alert_minutes (
      app TEXT NOT NULL, issue INTEGER NOT NULL, minute INTEGER NOT NULL, count INTEGER NOT NULL,
      first INTEGER NOT NULL, PRIMARY KEY (app, issue, minute)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX alert_minutes_minute ON alert_minutes (minute);
    CREATE TABLE alert_deliveries (
      id TEXT PRIMARY KEY, app TEXT NOT NULL, rule TEXT NOT NULL, kind TEXT NOT NULL, destination TEXT NOT NULL,
      receiver TEXT NOT NULL, message TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, next REAL,
      status INTEGER, reason TEXT NOT NULL, created REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX alert_deliveries_next ON alert_deliveries (next) WHERE next IS NOT NULL;
    CREATE INDEX alert_deliveries_rule ON alert_deliveries (app, rule, created);
    CREATE INDEX alert_deliveries_destination ON alert_deliveries (destination, state, created);
    CREATE INDEX alert_deliveries_held ON alert_deliveries (destination) WHERE state = 'held';
    CREATE INDEX alert_deliveries_created ON alert_deliveries (created);
    """
}
