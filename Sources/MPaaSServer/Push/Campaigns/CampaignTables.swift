/// The tables of campaigns, and of what became of them for each installation.
enum CampaignTables {
  /// The numbers of a campaign are those of its deliveries, changed in the same transactions.
  static let first = """
    CREATE TABLE push_campaigns (
      number INTEGER PRIMARY KEY, app TEXT NOT NULL, id TEXT NOT NULL, topic TEXT NOT NULL, environment TEXT NOT NULL,
      definition TEXT NOT NULL, state TEXT NOT NULL, problem TEXT, author TEXT NOT NULL, created REAL NOT NULL,
      starts REAL NOT NULL, resumes REAL NOT NULL, ended REAL, scanned INTEGER NOT NULL, prepared INTEGER NOT NULL,
      setbacks INTEGER NOT NULL, audience INTEGER NOT NULL, waiting INTEGER NOT NULL, claimed INTEGER NOT NULL,
      accepted INTEGER NOT NULL, failed INTEGER NOT NULL, unknown INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX push_campaigns_id ON push_campaigns (app, id);
    CREATE INDEX push_campaigns_state ON push_campaigns (state, resumes);
    CREATE TABLE push_deliveries (
      campaign INTEGER NOT NULL, installation INTEGER NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL,
      due REAL NOT NULL, tries INTEGER NOT NULL, token TEXT, status INTEGER, reason TEXT, updated REAL NOT NULL,
      PRIMARY KEY (campaign, installation)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX push_deliveries_due ON push_deliveries (campaign, state, due, installation);
    CREATE UNIQUE INDEX push_deliveries_token ON push_deliveries (campaign, token) WHERE token IS NOT NULL;
    """
}
