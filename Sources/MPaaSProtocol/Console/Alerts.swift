/// The condition of an alert: one of these.
package struct AlertWhen: Codable, Sendable, Equatable {
  /// A new issue, or one that came back after it had been resolved.
  package struct Issue: Codable, Sendable, Equatable {
    /// Only of this level, as `fatal`.
    package var level: String?

    package init(level: String? = nil) { self.level = level }
  }

  /// More events, or more users who are affected, than `over` within `minutes`.
  package struct Count: Codable, Sendable, Equatable {
    package var over: Int64
    package var minutes: Int64
    /// The id of an issue; nil counts those of the whole app.
    package var issue: String?

    package init(over: Int64, minutes: Int64, issue: String? = nil) {
      (self.over, self.minutes, self.issue) = (over, minutes, issue)
    }
  }

  /// A smaller share of sessions, or of users, without a crash.
  package struct CrashFree: Codable, Sendable, Equatable {
    /// From 0 to 1.
    package var share: Double
    /// `sessions` or `users`; sessions where it is missing.
    package var of: String?
    /// A day where it is missing.
    package var hours: Int64?
    package var release: String?
    package var environment: String?
    /// The sessions without which nothing is said; 100 where it is missing.
    package var least: Int64?

    package init(
      share: Double, of: String? = nil, hours: Int64? = nil, release: String? = nil, environment: String? = nil,
      least: Int64? = nil
    ) {
      (self.share, self.of, self.hours) = (share, of, hours)
      (self.release, self.environment, self.least) = (release, environment, least)
    }
  }

  /// A release that more than a share of the sessions of a day have.
  package struct Adoption: Codable, Sendable, Equatable {
    /// From 0 to 1.
    package var over: Double
    package var release: String?
    package var environment: String?

    package init(over: Double, release: String? = nil, environment: String? = nil) {
      (self.over, self.release, self.environment) = (over, release, environment)
    }
  }

  /// A quota of the app, or of one of its tokens, of which more than a share is used.
  package struct Quota: Codable, Sendable, Equatable {
    /// From 0 to 1.
    package var over: Double
    /// `minute`, `hour` or `month`; each where it is missing.
    package var period: String?

    package init(over: Double, period: String? = nil) { (self.over, self.period) = (over, period) }
  }

  package var new: Issue?
  package var regressed: Issue?
  package var count: Count?
  package var users: Count?
  package var crashFreeBelow: CrashFree?
  package var adoption: Adoption?
  package var quota: Quota?

  package init() {}

  private enum CodingKeys: String, CodingKey {
    case new, regressed, count, users, adoption, quota
    case crashFreeBelow = "crash_free_below"
  }
}

/// The receiver of an alert: a webhook or a mailbox.
package struct AlertTarget: Codable, Sendable, Equatable {
  package var webhook: String?
  /// `json`, `feishu`, `dingtalk` or `slack`; where it is missing, the address tells.
  package var form: String?
  /// The secret that messages are signed with; of a `json` webhook one is made where it is missing.
  package var secret: String?
  package var mail: String?
  /// `en` or `zh-Hans`; the server's where it is missing.
  package var language: String?

  package init(
    webhook: String? = nil, form: String? = nil, secret: String? = nil, mail: String? = nil, language: String? = nil
  ) {
    (self.webhook, self.form, self.secret, self.mail, self.language) = (webhook, form, secret, mail, language)
  }
}

/// The wish for a rule, or for a change of one; what is nil stays.
package struct AlertWish: Codable, Sendable, Equatable {
  package var name: String?
  package var when: AlertWhen?
  package var to: [AlertTarget]?
  package var enabled: Bool?
  /// The key or the name of the app; the caller's, or else the first, where it is missing.
  package var app: String?

  package init(
    name: String? = nil, when: AlertWhen? = nil, to: [AlertTarget]? = nil, enabled: Bool? = nil, app: String? = nil
  ) {
    (self.name, self.when, self.to, self.enabled, self.app) = (name, when, to, enabled, app)
  }
}

/// A rule; secrets of webhooks are told once, when they are made.
package struct AlertEntry: Codable, Sendable, Equatable {
  package var id: String
  package var app: String
  package var name: String
  package var when: AlertWhen
  package var to: [AlertTarget]
  package var isEnabled: Bool
  /// The things that the condition is true of now: issues, releases, or the app.
  package var firing: Int64
  /// Seconds since 1970.
  package var created: Double

  package init(
    id: String, app: String, name: String, when: AlertWhen, to: [AlertTarget], isEnabled: Bool, firing: Int64,
    created: Double
  ) {
    (self.id, self.app, self.name, self.when, self.to) = (id, app, name, when, to)
    (self.isEnabled, self.firing, self.created) = (isEnabled, firing, created)
  }

  private enum CodingKeys: String, CodingKey {
    case id, app, name, when, to, firing, created
    case isEnabled = "enabled"
  }
}

/// The answer to a question for rules.
package struct AlertPage: Codable, Sendable, Equatable {
  package var alerts: [AlertEntry]

  package init(alerts: [AlertEntry]) { self.alerts = alerts }
}

/// A message on its way to a receiver.
package struct AlertDelivery: Codable, Sendable, Equatable {
  package enum State: String, Codable, Sendable {
    case waiting, sent, failed
    /// Over the limit of the hour: it waits for a digest, and went out with one.
    case held, digested
  }

  package var id: String
  package var rule: String
  package var kind: AlertMessage.Kind
  /// The host of a webhook, or the mailbox.
  package var target: String
  package var state: State
  package var attempts: Int64
  /// The status of the last answer.
  package var status: Int64?
  package var reason: String
  /// Seconds since 1970.
  package var created: Double
  package var next: Double?

  package init(
    id: String, rule: String, kind: AlertMessage.Kind, target: String, state: State, attempts: Int64, status: Int64?,
    reason: String, created: Double, next: Double?
  ) {
    (self.id, self.rule, self.kind, self.target, self.state) = (id, rule, kind, target, state)
    (self.attempts, self.status, self.reason) = (attempts, status, reason)
    (self.created, self.next) = (created, next)
  }
}

/// The answer to a question for deliveries.
package struct AlertDeliveryPage: Codable, Sendable, Equatable {
  package var deliveries: [AlertDelivery]

  package init(deliveries: [AlertDelivery]) { self.deliveries = deliveries }
}

/// The content of a message, as a webhook of the form `json` gets it.
package struct AlertMessage: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable {
    case entered, left, reminder, digest, test
  }

  /// A thing that a condition became true of, or is no longer true of.
  package struct Subject: Codable, Sendable, Equatable {
    /// The id of an issue, or the name of a release; empty for the whole app.
    package var id: String
    package var title: String
    /// The figure that the condition is about.
    package var value: String?
    /// The page of the console.
    package var url: String?

    package init(id: String, title: String, value: String? = nil, url: String? = nil) {
      (self.id, self.title, self.value, self.url) = (id, title, value, url)
    }
  }

  package var kind: Kind
  /// Seconds since 1970.
  package var time: Double
  /// The id and the name of the rule.
  package var rule: String
  package var name: String
  /// The key and the name of the app.
  package var app: String
  package var appName: String
  /// The word of the condition, as `crash_free_below`.
  package var condition: String
  /// The first of the things, and the number of all.
  package var subjects: [Subject]
  package var count: Int64
  /// The messages that a digest stands for.
  package var messages: Int64?

  package init(
    kind: Kind, time: Double, rule: String, name: String, app: String, appName: String, condition: String,
    subjects: [Subject], count: Int64, messages: Int64? = nil
  ) {
    (self.kind, self.time, self.rule, self.name, self.app) = (kind, time, rule, name, app)
    (self.appName, self.condition, self.subjects) = (appName, condition, subjects)
    (self.count, self.messages) = (count, messages)
  }

  private enum CodingKeys: String, CodingKey {
    case kind, time, rule, name, app, condition, subjects, count, messages
    case appName = "app_name"
  }
}
