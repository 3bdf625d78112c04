package import MPaaSHotpatch
package import MPaaSProtocol
package import MPaaSSupport
package import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Devices with a patch and those of them that crashed, as an app's server counts them: what the automatic halt goes
/// by.
///
/// ```json
/// {"schema":"mpaas-crash-totals/2","app":"com.example.shop","counted":"2026-11-20T08:00:00Z","population":120000,
///  "baseline":{"devices":100000,"crashed":200},
///  "patches":[{"patch":"cart","version":"3","devices":1200,"crashed":30}]}
/// ```
/// Each device counts once, however often it starts or crashes. The numbers are totals since the version was published,
/// so that the same file may be told twice. `baseline` counts devices without any patch over as long a time;
/// `"baseline":{"per_million":2000}` tells the rate itself. `population` is how many devices have the app. A patch may
/// name its `channel`.
///
/// Totals that change a rollout are signed: a DSSE envelope around this. A file without a schema counts sessions, is
/// never signed, and is only shown.
package struct CrashTotals: Sendable, Equatable {
  package static let schema = "mpaas-crash-totals/2"
  /// The type of the signed payload.
  package static let payloadType = "application/vnd.mpaas.crash-totals.v2+json"
  /// The largest file that is read, in bytes.
  package static let largest = 1 << 20
  /// The part of a rollout's audience, in ten thousandths, that must be counted before a patch is stopped everywhere.
  package static let leastShare = 100
  /// The age that totals may have that change a rollout.
  package static let longestAge: TimeInterval = 7 * 86_400
  /// The note in the history where totals halt a rollout.
  package static let reason = "more crashes than without it"

  package struct Entry: Sendable, Equatable {
    package let patch: String
    package let version: DottedVersion
    package let channel: String?
    /// Devices; sessions where the file has no schema.
    package let sessions: Int
    package let crashes: Int

    fileprivate init(patch: String, version: DottedVersion, channel: String?, sessions: Int, crashes: Int) {
      (self.patch, self.version, self.channel) = (patch, version, channel)
      (self.sessions, self.crashes) = (sessions, crashes)
    }
  }

  /// The app that the totals are of; nil, as the two below, where the file has no schema.
  package let app: String?
  /// The time at which they were counted.
  package let counted: Date?
  /// The number of devices that have the app.
  package let population: Int?
  /// The crashes among a million devices or sessions without a patch.
  package let baseline: Int
  package let entries: [Entry]
  /// True if they were signed by a key that may say so.
  package private(set) var isAuthenticated = false

  /// Totals of one version that a console told, where one is logged in.
  ///
  /// - Returns: nil where the console knows no devices without a patch, or the version is none.
  package init?(_ entry: PatchEntry, channel: String?, counted: Date) {
    guard let baseline = entry.baseline, baseline.devices > 0, let version = DottedVersion(entry.version) else {
      return nil
    }
    app = entry.identity
    self.counted = counted
    population = Int(clamping: max(entry.population, entry.devices))
    self.baseline = baseline.perMillion
    let devices = Int(clamping: max(entry.devices, entry.crashed))
    entries = [
      Entry(
        patch: entry.patch, version: version, channel: channel, sessions: devices,
        crashes: Int(clamping: entry.crashed))
    ]
    isAuthenticated = true
  }

  /// Reads unsigned totals.
  ///
  /// - Throws: `TrustError` `crash-totals-malformed` with the member that cannot be so.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    guard bytes.count <= Self.largest, let value = try? JSONValue(reading: bytes) else { throw Self.error("JSON") }
    do throws(TrustError) {
      var fields = try MetadataFields(value, path: "statistics")
      let isOfDevices = fields.rest["schema"] != nil
      if isOfDevices {
        try fields.require(try fields.string("schema") == Self.schema, "schema")
        app = try fields.string("app")
        counted = try fields.time("counted")
        population = try fields.integer("population")
      } else {
        (app, counted, population) = (nil, nil, nil)
      }
      let names = isOfDevices ? (all: "devices", crashed: "crashed") : (all: "sessions", crashed: "crashes")
      baseline = try Self.baseline(try MetadataFields(fields.optional("baseline"), path: "baseline"), names)
      var entries: [Entry] = []
      for value in try fields.values("patches") { entries.append(try Entry(value, names)) }
      self.entries = entries
      if isOfDevices { try fields.finish() }
    } catch {
      throw Self.error(error.values["field"] ?? "")
    }
  }

  /// Reads the totals in an envelope, which at least one of `keys` must have signed.
  ///
  /// - Throws: `TrustError` `crash-totals-unsigned` where it is no envelope, what the check of its signatures says,
  ///   `crash-totals-malformed`.
  package init(
    signed bytes: UnsafeRawBufferPointer, by keys: [VerificationKey], threshold: Int = 1
  ) throws(TrustError) {
    guard let envelope = try? DSSEEnvelope(reading: bytes, limit: Self.largest * 2) else {
      throw TrustError(.crashTotalsUnsigned)
    }
    try envelope.require(type: Self.payloadType)
    guard !keys.isEmpty else { throw TrustError(.crashTotalsUnsigned) }
    _ = try envelope.verify(by: keys, threshold: threshold)
    self = try Result { () throws(TrustError) in
      let payload = Bytes(envelope.payload)
      return try CrashTotals(reading: payload.buffer)
    }.get()
    guard app != nil else { throw Self.error("schema") }
    isAuthenticated = true
  }

  /// Signs totals that can be read.
  ///
  /// - Returns: The envelope's bytes.
  package static func signed(_ bytes: Bytes, with keys: [SigningKey]) throws(TrustError) -> [UInt8] {
    guard try CrashTotals(reading: bytes.buffer).app != nil else { throw error("schema") }
    return try DSSEEnvelope.sign(bytes.array, type: payloadType, with: keys).encoded
  }

  /// Checks that the totals may change the rollouts of an app now.
  ///
  /// - Throws: `TrustError` `crash-totals-unsigned`, `patch-other-app`, `crash-totals-old` where they were counted over a
  ///   week ago, or in the future.
  package func check(app: String, at time: Date) throws(TrustError) {
    guard isAuthenticated, let own = self.app, let counted else { throw TrustError(.crashTotalsUnsigned) }
    guard own == app else { throw TrustError(.patchOfOtherApp, ["found": own, "expected": app]) }
    guard counted <= time + 300, counted >= time - Self.longestAge else { throw Self.old(counted) }
  }

  fileprivate static func old(_ counted: Date) -> TrustError {
    TrustError(.crashTotalsOld, ["time": MetadataTime.text(counted)])
  }

  private static func baseline(
    _ fields: MetadataFields, _ names: (all: String, crashed: String)
  ) throws(TrustError) -> Int {
    var fields = fields
    if fields.rest["per_million"] != nil {
      let rate = try fields.integer("per_million", from: 0)
      try fields.require(rate <= 1_000_000, "per_million")
      return rate
    }
    let sessions = try fields.integer(names.all)
    let crashes = try fields.integer(names.crashed, from: 0)
    try fields.require(crashes <= sessions, names.crashed)
    return CrashRateTest.perMillion(devices: sessions, crashed: crashes)
  }

  private static func error(_ field: String) -> TrustError { TrustError(.crashTotalsMalformed, ["field": field]) }
}

extension CrashTotals.Entry {
  fileprivate init(_ value: JSONValue, _ names: (all: String, crashed: String)) throws(TrustError) {
    var fields = try MetadataFields(value, path: "patches")
    patch = try fields.string("patch")
    guard let version = DottedVersion(try fields.string("version")) else { throw fields.problem("version") }
    self.version = version
    channel = fields.rest["channel"] == nil ? nil : try fields.string("channel")
    sessions = try fields.integer(names.all, from: 0)
    crashes = try fields.integer(names.crashed, from: 0)
    try fields.require(crashes <= sessions, names.crashed)
  }
}

extension RolloutDocument {
  /// Takes totals in and halts what crashes more often: for new installs where the test says so, everywhere where a
  /// least share of the audience was counted besides.
  ///
  /// - Returns: The versions that this halted, in either way.
  /// - Throws: `TrustError` `crash-totals-old` where later ones were taken in already; nothing is changed then.
  package mutating func record(_ totals: CrashTotals, reason: String, at time: Date) throws(TrustError) -> [Rollout] {
    let counted = totals.counted ?? time
    let met = totals.entries.map { entry in rollouts.indices.filter { isMeant(rollouts[$0], by: entry) } }
    for index in met.joined() {
      if let known = rollouts[index].statistics?.updated, counted < known { throw CrashTotals.old(counted) }
    }
    var halted: [Rollout] = []
    for (entry, indices) in zip(totals.entries, met) {
      for index in indices {
        let share = rollouts[index].isShareCounted(entry.sessions, of: totals.population)
        let isHalted = record(
          sessions: entry.sessions, crashes: entry.crashes, baseline: totals.baseline, of: index,
          scope: share ? .everywhere : .installs, reason: reason, counted: counted, at: time)
        if isHalted { halted.append(rollouts[index]) }
      }
    }
    return halted
  }

  private func isMeant(_ rollout: Rollout, by entry: CrashTotals.Entry) -> Bool {
    rollout.patch == entry.patch && rollout.version == entry.version
      && (entry.channel == nil || rollout.channel == entry.channel)
  }
}

extension Rollout {
  /// True if so many devices are enough of those that the rollout takes in to stop the patch for all of them.
  fileprivate func isShareCounted(_ devices: Int, of population: Int?) -> Bool {
    guard let population else { return false }
    let audience = Double(population) * Double(effectiveBasisPoints) / Double(RolloutBucket.count)
    return Double(devices) * 10_000 >= audience * Double(CrashTotals.leastShare)
  }
}

extension TrustError.Code {
  package static let crashTotalsUnsigned = refused("crash-totals-unsigned")
  package static let crashTotalsOld = refused("crash-totals-old")
}

extension TrustError.Code {
  package static let crashTotalsMalformed = malformed("crash-totals-malformed")
}
