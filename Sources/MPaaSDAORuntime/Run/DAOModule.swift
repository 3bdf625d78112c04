package import MPaaSSupport

/// The parts of a document that calls of any method need: its names, its versions, and the way to make its table.
public struct DAOModule: Sendable {
  /// Work on a connection, such as an upgrade; what it throws is a `DAOError`.
  ///
  /// Its type does not say so: systems before iOS 18 cannot keep functions of such types in arrays.
  public typealias Work = @Sendable (DAOSession) throws -> Void

  package let name: String
  package let file: String?
  package let tableName: String?
  package let version: DottedVersion?
  package let resetsOnUpgrade: Bool
  /// Tables of older versions are made anew.
  package let leastVersion: DottedVersion?
  package let initialize: Work?
  /// In ascending order of their versions.
  package let upgrades: [(version: DottedVersion, work: Work)]
  package let secrets: Set<DAOSecret>
  package let methodNames: [String]
  /// The number of statements that a compiled document has as constants.
  let constantCount: Int

  package init(
    name: String, file: String?, tableName: String?, version: DottedVersion?, resetsOnUpgrade: Bool,
    leastVersion: DottedVersion?, initialize: Work?, upgrades: [(version: DottedVersion, work: Work)],
    secrets: Set<DAOSecret>, methodNames: [String], constantCount: Int = 0
  ) {
    self.name = name
    self.file = file
    self.tableName = tableName
    self.version = version
    self.resetsOnUpgrade = resetsOnUpgrade
    self.leastVersion = leastVersion
    self.initialize = initialize
    self.upgrades = upgrades
    self.secrets = secrets
    self.methodNames = methodNames
    self.constantCount = constantCount
  }

  /// Creates the module of a compiled document, whose versions were read when it was compiled.
  public init(
    _ name: String, file: String, table: String?, version: String, resetsOnUpgrade: Bool = false,
    upgradeMinVersion: String? = nil, initialize: Work? = nil, upgrades: [(toVersion: String, work: Work)] = [],
    secrets: [DAOSecret] = [], methods: [String], constants: Int
  ) {
    let known = upgrades.compactMap { upgrade in DottedVersion(upgrade.toVersion).map { ($0, upgrade.work) } }
    self.init(
      name: name, file: file, tableName: table, version: DottedVersion(version), resetsOnUpgrade: resetsOnUpgrade,
      leastVersion: upgradeMinVersion.flatMap(DottedVersion.init), initialize: initialize, upgrades: known,
      secrets: Set(secrets), methodNames: methods, constantCount: constants)
  }
}
