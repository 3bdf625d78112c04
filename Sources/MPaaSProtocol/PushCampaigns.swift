/// The stage that a campaign is at.
package enum PushCampaignState: String, Codable, Sendable, CaseIterable {
  /// Its time has not come.
  case scheduled
  /// Its audience is written down.
  case preparing
  case running
  /// An operator has stopped it, or its key is refused; it can go on.
  case paused
  /// Everybody was asked, or its time is over.
  case done
  /// It was ended by an operator; who was not asked is not.
  case cancelled

  /// True for a campaign that nothing more is sent of.
  package var isFinal: Bool { self == .done || self == .cancelled }
}

/// The stage of a campaign for one installation.
package enum PushDeliveryState: String, Codable, Sendable, CaseIterable {
  case waiting
  /// It is written down that the provider is being asked.
  case claimed
  case accepted, failed
  /// The provider was asked, or may have been, and its answer is not known.
  case unknown
}

/// The numbers of a campaign's installations; all but `audience` together are as many as that.
package struct PushCampaignCounts: Codable, Sendable, Equatable {
  package var audience: Int64
  package var waiting: Int64
  /// Those that the provider is being asked for.
  package var claimed: Int64
  package var accepted: Int64
  package var failed: Int64
  package var unknown: Int64

  package init(
    audience: Int64, waiting: Int64, claimed: Int64, accepted: Int64, failed: Int64, unknown: Int64
  ) {
    (self.audience, self.waiting, self.claimed) = (audience, waiting, claimed)
    (self.accepted, self.failed, self.unknown) = (accepted, failed, unknown)
  }
}

/// A campaign as operators see it; times are seconds since 1970.
package struct PushCampaignEntry: Codable, Sendable, Equatable {
  /// Later campaigns have higher numbers.
  package var number: Int64
  package var id: String
  package var app: String
  package var topic: String
  package var environment: PushEnvironment
  package var state: PushCampaignState
  /// The reason why it stopped by itself, or why the provider is waited for.
  package var problem: String?
  /// The name of the token that it was created with.
  package var author: String
  package var created: Double
  package var starts: Double
  package var ended: Double?
  /// The time before which nothing is sent: of quiet hours, or of a provider that wants a pause.
  package var resumes: Double?
  package var counts: PushCampaignCounts

  package init(
    number: Int64, id: String, app: String, topic: String, environment: PushEnvironment, state: PushCampaignState,
    problem: String?, author: String, created: Double, starts: Double, ended: Double?, resumes: Double?,
    counts: PushCampaignCounts
  ) {
    (self.number, self.id, self.app, self.topic, self.environment) = (number, id, app, topic, environment)
    (self.state, self.problem, self.author, self.created) = (state, problem, author, created)
    (self.starts, self.ended, self.resumes, self.counts) = (starts, ended, resumes, counts)
  }
}

/// A campaign with the JSON that it was created with.
package struct PushCampaignDetail: Codable, Sendable, Equatable {
  package var campaign: PushCampaignEntry
  package var definition: String

  package init(campaign: PushCampaignEntry, definition: String) {
    (self.campaign, self.definition) = (campaign, definition)
  }
}

/// A part of the list of campaigns, the newest first.
package struct PushCampaignPage: Codable, Sendable, Equatable {
  package var campaigns: [PushCampaignEntry]
  /// The word by which the next part is asked for; nil where there is none.
  package var cursor: String?

  package init(campaigns: [PushCampaignEntry], cursor: String?) {
    (self.campaigns, self.cursor) = (campaigns, cursor)
  }
}

/// The outcome of a campaign for one installation.
package struct PushDelivery: Codable, Sendable, Equatable {
  package var installation: String
  package var state: PushDeliveryState
  /// The provider's status; 0 where it was not asked, nil where it has not answered.
  package var status: Int?
  package var reason: String?
  /// Seconds since 1970.
  package var updated: Double

  package init(installation: String, state: PushDeliveryState, status: Int?, reason: String?, updated: Double) {
    (self.installation, self.state, self.status) = (installation, state, status)
    (self.reason, self.updated) = (reason, updated)
  }
}

/// A part of a campaign's outcomes.
package struct PushDeliveryPage: Codable, Sendable, Equatable {
  package var deliveries: [PushDelivery]
  package var cursor: String?

  package init(deliveries: [PushDelivery], cursor: String?) {
    (self.deliveries, self.cursor) = (deliveries, cursor)
  }
}

/// The facts of a campaign that was checked and not created.
package struct PushCampaignCheck: Codable, Sendable, Equatable {
  /// A payload that some users would get.
  package struct Payload: Codable, Sendable, Equatable {
    /// The tag of its language; empty where the campaign has no texts.
    package var language: String
    package var bytes: Int
    package var limit: Int
    /// The installations that would get it.
    package var installations: Int

    package init(language: String, bytes: Int, limit: Int, installations: Int) {
      (self.language, self.bytes, self.limit, self.installations) = (language, bytes, limit, installations)
    }
  }

  package var id: String
  /// `apns` or `fcm`.
  package var provider: String
  package var audience: Int
  package var payloads: [Payload]

  package init(id: String, provider: String, audience: Int, payloads: [Payload]) {
    (self.id, self.provider, self.audience, self.payloads) = (id, provider, audience, payloads)
  }
}
