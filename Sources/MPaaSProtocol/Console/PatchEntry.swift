/// A version of a hotpatch on devices: how many ran it, and how many of them crashed, beside devices without a patch.
package struct PatchEntry: Codable, Sendable, Equatable {
  /// Devices, each counted once, and those of them of which a run crashed.
  package struct Devices: Codable, Sendable, Equatable {
    package var devices: Int64
    package var crashed: Int64

    package init(devices: Int64, crashed: Int64) { (self.devices, self.crashed) = (devices, crashed) }

    /// The rate of crashes as that of a baseline (`CrashRateTest`).
    package var perMillion: Int {
      CrashRateTest.perMillion(devices: Int(clamping: devices), crashed: Int(clamping: crashed))
    }
  }

  /// The key of the console's app.
  package var app: String
  /// The identifier that releases name the app by, such as `com.example.shop`.
  package var identity: String
  package var patch: String
  package var version: String
  /// Seconds since 1970: the first and the last run that is known.
  package var firstSeen: Double
  package var lastSeen: Double
  package var devices: Int64
  package var crashed: Int64
  /// Devices that told that they run no patch, since the day of the first run with it; nil where there is none.
  package var baseline: Devices?
  /// All devices that told of their patches since then, and in the last 30 days at least: those that have the app.
  package var population: Int64
  /// The likelihood ratio of `CrashRateTest`; nil without a baseline.
  package var ratio: Double?
  /// The rollouts of the version by channel, as `mpaas hotpatch watch` told them last.
  package var rollouts: [RolloutNote.Rollout]

  package init(
    app: String, identity: String, patch: String, version: String, firstSeen: Double, lastSeen: Double, devices: Int64,
    crashed: Int64, baseline: Devices?, population: Int64, rollouts: [RolloutNote.Rollout] = []
  ) {
    (self.app, self.identity, self.patch, self.version) = (app, identity, patch, version)
    (self.firstSeen, self.lastSeen, self.devices, self.crashed) = (firstSeen, lastSeen, devices, crashed)
    (self.baseline, self.population, self.rollouts) = (baseline, population, rollouts)
    ratio = baseline.map { baseline in
      let ratio = CrashRateTest(baseline: Double(baseline.perMillion) / 1e6).ratio(
        sessions: Int(clamping: max(devices, crashed)), crashes: Int(clamping: crashed))
      // JSON has no number for more.
      return min(ratio, 1e12)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case app, identity, patch, version, devices, crashed, baseline, population, ratio, rollouts
    case firstSeen = "first_seen"
    case lastSeen = "last_seen"
  }
}

package struct PatchPage: Codable, Sendable, Equatable {
  package var patches: [PatchEntry]

  package init(patches: [PatchEntry]) { self.patches = patches }
}

/// The rollouts of an app as its rollout document has them; the console shows them, and decides nothing by them.
package struct RolloutNote: Codable, Sendable, Equatable {
  package struct Rollout: Codable, Sendable, Equatable {
    package var patch: String
    package var version: String
    package var channel: String
    /// `running`, `paused`, `halted`, `killed` or `superseded`.
    package var state: String
    /// `list`, `window` or `official`.
    package var stage: String
    /// The share of devices that get it, in parts of 10,000.
    package var basisPoints: Int
    /// The reason of the last change; empty where none was given.
    package var reason: String

    package init(
      patch: String, version: String, channel: String, state: String, stage: String, basisPoints: Int, reason: String
    ) {
      (self.patch, self.version, self.channel) = (patch, version, channel)
      (self.state, self.stage, self.basisPoints, self.reason) = (state, stage, basisPoints, reason)
    }

    private enum CodingKeys: String, CodingKey {
      case patch, version, channel, state, stage, reason
      case basisPoints = "basis_points"
    }
  }

  /// The version of the document.
  package var version: Int
  package var rollouts: [Rollout]

  package init(version: Int, rollouts: [Rollout]) { (self.version, self.rollouts) = (version, rollouts) }
}

/// A change of a rollout that an operator asked for on the console; the keeper of the director's key makes it.
package struct RolloutRequest: Codable, Sendable, Equatable {
  package enum Action: String, Codable, Sendable, CaseIterable {
    /// No new device gets the patch.
    case pause
    /// No device runs it.
    case halt
    case resume
    /// Another share of devices gets it.
    case percentage
  }

  package enum State: String, Codable, Sendable, CaseIterable { case waiting, done, refused }

  package var id: String
  package var app: String
  package var identity: String
  package var patch: String
  package var version: String
  package var channel: String
  package var action: Action
  /// The share of devices in parts of 10,000; of `percentage` alone.
  package var basisPoints: Int?
  package var reason: String
  /// The name of the account or token.
  package var author: String
  /// Seconds since 1970.
  package var created: Double
  package var state: State
  /// The words of a refusal.
  package var outcome: String
  package var ended: Double?

  package init(
    id: String, app: String, identity: String, patch: String, version: String, channel: String, action: Action,
    basisPoints: Int?, reason: String, author: String, created: Double, state: State = .waiting, outcome: String = "",
    ended: Double? = nil
  ) {
    (self.id, self.app, self.identity, self.patch, self.version) = (id, app, identity, patch, version)
    (self.channel, self.action, self.basisPoints, self.reason) = (channel, action, basisPoints, reason)
    (self.author, self.created, self.state, self.outcome, self.ended) = (author, created, state, outcome, ended)
  }

  private enum CodingKeys: String, CodingKey {
    case id, app, identity, patch, version, channel, action, reason, author, created, state, outcome, ended
    case basisPoints = "basis_points"
  }
}

/// The change that is asked for.
package struct RolloutWish: Codable, Sendable, Equatable {
  package var identity: String
  package var patch: String
  package var version: String
  package var channel: String
  package var action: RolloutRequest.Action
  package var basisPoints: Int?
  package var reason: String?

  package init(
    identity: String, patch: String, version: String, channel: String, action: RolloutRequest.Action,
    basisPoints: Int? = nil, reason: String? = nil
  ) {
    (self.identity, self.patch, self.version, self.channel) = (identity, patch, version, channel)
    (self.action, self.basisPoints, self.reason) = (action, basisPoints, reason)
  }

  private enum CodingKeys: String, CodingKey {
    case identity, patch, version, channel, action, reason
    case basisPoints = "basis_points"
  }
}

package struct RolloutRequestPage: Codable, Sendable, Equatable {
  package var requests: [RolloutRequest]

  package init(requests: [RolloutRequest]) { self.requests = requests }
}

/// The outcome of a change that was asked for.
package struct RolloutOutcome: Codable, Sendable, Equatable {
  package var state: RolloutRequest.State
  package var outcome: String

  package init(state: RolloutRequest.State, outcome: String = "") { (self.state, self.outcome) = (state, outcome) }
}
