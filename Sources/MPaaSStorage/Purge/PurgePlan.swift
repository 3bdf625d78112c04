/// The files that a purge is to remove, and why.
public struct PurgePlan: Sendable, Equatable {
  /// The reason why a file goes.
  public enum Reason: String, Sendable, Encodable {
    /// It was not changed for as long as its rule says.
    case age
    /// Its path holds more than its rule says.
    case size
    /// Everything of its rule goes.
    case all
    /// There is too little free space.
    case space
  }

  /// A file, or a link itself.
  public struct Item: Sendable, Equatable {
    /// The path below the root.
    public let path: String
    /// The bytes of the file.
    public let size: UInt64
    /// The time of its last change in seconds since 1970.
    public let modified: Int64
    /// The reason why it goes.
    public let reason: Reason
    /// The file itself: where another one has its name meanwhile, that one stays.
    let identity: [UInt64]
    let modifiedNanoseconds: Int64
  }

  /// The files, in the order in which they go.
  public internal(set) var items: [Item] = []
  /// The folders that go where they are empty then, deepest first.
  public internal(set) var folders: [String] = []
  /// The paths of rules that are or lead through links, or lie on another volume; nothing of them is touched.
  public internal(set) var skipped: [String] = []

  /// The bytes of all files.
  public var size: UInt64 { items.reduce(0) { $0 + $1.size } }
}

/// The phases of a purge.
public enum PurgePhase: String, Sendable {
  /// The sizes before are added up.
  case preCalculating
  /// Files are removed.
  case cleaning
  /// The sizes after are added up.
  case postCalculating
  /// Everything is done.
  case done
}

/// A step of a purge.
public struct PurgeProgress: Sendable, Equatable {
  /// The phase.
  public let phase: PurgePhase
  /// The part of the phase that is done, from 0 to 1.
  public let fraction: Double
  /// The bytes that were freed until now.
  public let freed: UInt64
}

/// The end of a purge.
public struct PurgeResult: Sendable, Equatable {
  /// The files that were removed.
  public internal(set) var removed = 0
  /// Their bytes.
  public internal(set) var freed: UInt64 = 0
  /// The paths that stayed: changed or replaced since the plan, or not to be removed.
  public internal(set) var kept: [String] = []
  /// The bytes of all purgeable paths before it.
  public internal(set) var before: UInt64 = 0
  /// The bytes of all purgeable paths after it.
  public internal(set) var after: UInt64 = 0
}
