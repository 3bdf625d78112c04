/// An account of the console.
package struct PersonEntry: Codable, Sendable, Equatable {
  package var id: String
  /// The name to log in by.
  package var name: String
  package var mail: String
  /// The role for all apps; nil for one who has roles in teams alone.
  package var role: String?
  package var isDisabled: Bool
  package var teams: [String]
  /// Seconds since 1970.
  package var created: Double
  package var seen: Double?
  /// The address of the issuer that lets the person in, a blank, and its name for them; nil for one with a password.
  package var subject: String?

  package init(
    id: String, name: String, mail: String, role: String?, isDisabled: Bool, teams: [String], created: Double,
    seen: Double?, subject: String? = nil
  ) {
    (self.id, self.name, self.mail, self.role, self.isDisabled) = (id, name, mail, role, isDisabled)
    (self.teams, self.created, self.seen, self.subject) = (teams, created, seen, subject)
  }

  private enum CodingKeys: String, CodingKey {
    case id, name, mail, role, teams, created, seen, subject
    case isDisabled = "disabled"
  }
}

/// The wish for an account, or for a change of one; what is nil stays.
package struct PersonWish: Codable, Sendable, Equatable {
  package var name: String?
  package var mail: String?
  /// Empty takes the role for all apps away.
  package var role: String?
  package var password: String?
  package var disabled: Bool?
  /// The address of an issuer, a blank, and its name for the person; empty ends such a bond.
  ///
  /// It takes the password away.
  package var subject: String?

  package init(
    name: String? = nil, mail: String? = nil, role: String? = nil, password: String? = nil, disabled: Bool? = nil,
    subject: String? = nil
  ) {
    (self.name, self.mail, self.role, self.password, self.disabled) = (name, mail, role, password, disabled)
    self.subject = subject
  }
}

/// The answer to a question for accounts.
package struct PeoplePage: Codable, Sendable, Equatable {
  package var people: [PersonEntry]

  package init(people: [PersonEntry]) { self.people = people }
}

/// A team: people who have roles for some apps.
package struct TeamEntry: Codable, Sendable, Equatable {
  package struct Member: Codable, Sendable, Equatable {
    /// The name of the account.
    package var person: String
    package var role: String

    package init(person: String, role: String) { (self.person, self.role) = (person, role) }
  }

  package var id: String
  package var name: String
  /// The keys of apps.
  package var apps: [String]
  package var members: [Member]

  package init(id: String, name: String, apps: [String], members: [Member]) {
    (self.id, self.name, self.apps, self.members) = (id, name, apps, members)
  }
}

/// The wish for a team, or for a change of one; what is nil stays.
package struct TeamWish: Codable, Sendable, Equatable {
  package var name: String?
  /// The keys or the names of apps, instead of those before.
  package var apps: [String]?
  /// The members, instead of those before.
  package var members: [TeamEntry.Member]?

  package init(name: String? = nil, apps: [String]? = nil, members: [TeamEntry.Member]? = nil) {
    (self.name, self.apps, self.members) = (name, apps, members)
  }
}

/// The answer to a question for teams.
package struct TeamPage: Codable, Sendable, Equatable {
  package var teams: [TeamEntry]

  package init(teams: [TeamEntry]) { self.teams = teams }
}

/// A session of somebody who is logged in.
package struct SessionEntry: Codable, Sendable, Equatable {
  package var id: String
  /// The account's id and name.
  package var person: String
  package var name: String
  /// The browser, as it says.
  package var agent: String
  /// Seconds since 1970.
  package var created: Double
  package var seen: Double
  package var expires: Double

  package init(
    id: String, person: String, name: String, agent: String, created: Double, seen: Double, expires: Double
  ) {
    (self.id, self.person, self.name, self.agent) = (id, person, name, agent)
    (self.created, self.seen, self.expires) = (created, seen, expires)
  }
}

/// The answer to a question for sessions.
package struct SessionPage: Codable, Sendable, Equatable {
  package var sessions: [SessionEntry]

  package init(sessions: [SessionEntry]) { self.sessions = sessions }
}
