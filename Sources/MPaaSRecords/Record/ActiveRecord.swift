/// A `Codable` type whose values are rows of a table: a column for each member that its coding keys name.
///
/// ```swift
/// struct Node: ActiveRecord, Equatable {
///   var id: Int64?
///   var name: String
///   var sort = 0
/// }
/// var node = Node(name: "Swift")
/// try node.save(in: database)            // the table is made, node.id is 1
/// let nodes = try Node.where("sort", .less, 10).orderAscending(by: "name").records(in: database)
/// ```
///
/// A member that is a record itself lies in its own table, and the column has its key; an array of records lies in its
/// own table, too, and a table `<owner>_<member>` tells whose they are. Other members that a column cannot hold are JSON
/// in it. Where the type gets further members, their columns are added.
public protocol ActiveRecord: Codable, Sendable {
  /// The name of the table; the type's name where none is given.
  static var tableName: String { get }
  /// The name of the column by which a record is found again.
  ///
  /// By default `id`, or else the first whole number.
  static var primaryKey: String? { get }
  /// A record from which the members are found; only types that cannot be made of zeros and empty texts need one.
  static var sample: Self? { get }
}

extension ActiveRecord {
  /// The type's name.
  public static var tableName: String { "\(Self.self)" }
  /// None: the key is found among the members.
  public static var primaryKey: String? { nil }
  /// None: a blank record will do.
  public static var sample: Self? { nil }
}

/// An array of records.
protocol RecordList {
  static var element: any ActiveRecord.Type { get }
  var records: [any ActiveRecord] { get }
  /// The array of the same records; nil where one is of another type.
  init?(records: [any ActiveRecord])
}

extension Array: RecordList where Element: ActiveRecord {
  static var element: any ActiveRecord.Type { Element.self }
  var records: [any ActiveRecord] { self }

  init?(records: [any ActiveRecord]) {
    let own = records.compactMap { $0 as? Element }
    guard own.count == records.count else { return nil }
    self = own
  }
}
