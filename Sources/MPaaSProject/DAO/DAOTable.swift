package import MPaaSDeclarations
package import MPaaSSupport

/// The table that keeps the objects of a class.
package struct DAOTable: Sendable {
  /// A property that has no column, and why.
  package struct Omitted: Sendable, Encodable {
    package let property: String
    package let type: String
    package let reason: DAOOmission
  }

  package let className: String
  package let file: String
  package let name: String
  package let columns: [DAOColumn]
  package let omitted: [Omitted]
  /// The column that rows are found by; nil where the table gets one of its own, `_id`.
  package let key: DAOColumn?

  /// The name that rows are found by, as SQL and as an argument.
  package var keyName: String { key?.property ?? "_id" }
}

/// Makes tables of the classes that files declare.
package struct DAOTables: Sendable {
  /// In the order of the files.
  package let tables: [DAOTable]

  /// - Parameters:
  ///   - files: Their names, and what they declare.
  ///   - classes: Those that are wanted; all that have columns where it is empty.
  ///   - table: What the table is called; only for one class.
  /// - Throws: `dao-class-missing`, `dao-no-columns`, `dao-table-name`, `dao-table-reserved`.
  package init(
    _ files: [(file: String, types: [TypeDeclaration])], classes: [String] = [], table: String? = nil
  ) throws(GenerationError) {
    if let table, SQLName.needsQuotes(table) {
      throw GenerationError(.daoTableReserved, ["name": table])
    }
    let all = files.flatMap { file in file.types.map { (file: file.file, type: $0) } }
    let kept = all.filter { $0.type.kind == .class || $0.type.kind == .struct }
    for name in classes where !kept.contains(where: { $0.type.name == name }) {
      var values = ["class": name]
      values["suggestion"] = closestMatch(to: name, among: kept.map(\.type.name))
      throw GenerationError(.daoClassMissing, values, at: files.first.map { .file($0.file) })
    }
    let maker = DAOTableMaker(all.map(\.type))
    var tables: [DAOTable] = []
    for (file, type) in kept where classes.isEmpty || classes.contains(type.name) {
      let made = maker.table(type, file: file, name: table)
      if !made.columns.isEmpty {
        tables.append(made)
      } else if !classes.isEmpty {
        throw GenerationError(
          .daoNoColumns, ["class": type.name], at: .text(file: file, line: type.line, column: type.column))
      }
    }
    guard !tables.isEmpty else {
      throw GenerationError(.daoNoColumns, ["class": files.first?.file ?? ""], at: files.first.map { .file($0.file) })
    }
    guard table == nil || tables.count == 1 else { throw GenerationError(.daoTableName, ["count": "\(tables.count)"]) }
    self.tables = tables
  }
}

extension GenerationError.Code {
  /// A class that no file declares.
  package static var daoClassMissing: Self { GenerationError.Code("dao-class-missing", exit: .inputMissing) }
  /// Nothing that could be kept.
  package static var daoNoColumns: Self { malformed("dao-no-columns") }
  /// A name that cannot stand in statements as it is.
  package static var daoTableReserved: Self { GenerationError.Code("dao-table-reserved", exit: .usage) }
  /// A name for one table, and several tables.
  package static var daoTableName: Self { GenerationError.Code("dao-table-name", exit: .usage) }
}

/// Makes the table of a class, with what the other declarations tell.
private struct DAOTableMaker {
  private let types: [TypeDeclaration]
  private let rule: DAOTypeRule

  init(_ types: [TypeDeclaration]) {
    self.types = types
    var rule = DAOTypeRule()
    for type in types where type.kind == .enum && type.language == .swift {
      let raw = type.inherited.first ?? ""
      let isRaw =
        ["String", "Character", "Int", "UInt", "Double", "Float"].contains(raw) || raw.hasPrefix("Int")
        || raw.hasPrefix("UInt")
      rule.enumerations[type.name] = isRaw ? raw : ""
      if let last = type.name.split(separator: ".").last { rule.enumerations[String(last)] = isRaw ? raw : "" }
    }
    self.rule = rule
  }

  func table(_ type: TypeDeclaration, file: String, name: String?) -> DAOTable {
    var columns: [DAOColumn] = []
    var omitted: [DAOTable.Omitted] = []
    var names: Set<String> = []
    for property in properties(of: type) {
      func omit(_ reason: DAOOmission) {
        omitted.append(.init(property: property.name, type: property.type, reason: reason))
      }
      var column: DAOColumn?
      switch rule.verdict(property, type.language) {
      case .store(let storage): column = self.column(property, storage)
      case .archive: column = self.column(property, .blob, isArchived: true)
      case .assume: column = self.column(property, .integer, isAssumed: true)
      case .omit(let reason): omit(reason)
      }
      guard let column else { continue }
      if names.insert(property.name.lowercased()).inserted { columns.append(column) } else { omit(.sameName) }
    }
    return DAOTable(
      className: type.name, file: file, name: name ?? SQLName.table(of: type.name), columns: columns, omitted: omitted,
      key: DAOKey.choose(columns, of: type.name))
  }

  private func column(
    _ property: PropertyDeclaration, _ storage: DAOStorage, isArchived: Bool = false, isAssumed: Bool = false
  ) -> DAOColumn {
    DAOColumn(
      property: property.name, type: property.type, storage: storage, isOptional: property.isOptional,
      isArchived: isArchived, isAssumed: isAssumed)
  }

  /// The properties of objects: those of superclasses first, then its own, then those of class extensions.
  private func properties(of type: TypeDeclaration) -> [PropertyDeclaration] {
    var chain = [type]
    while chain.count < 64, let parent = chain.last?.inherited.first,
      let next = types.first(where: { $0.name == parent && $0.kind == .class }), !chain.contains(next)
    {
      chain.append(next)
    }
    var seen: Set<String> = []
    return chain.reversed().flatMap { type in
      [type] + types.filter { $0.kind == .extension && $0.name == type.name && $0.language == .objectiveC }
    }.flatMap(\.properties).filter { !$0.isStatic && seen.insert($0.name).inserted }
  }
}

/// Chooses the column that rows are found by.
private enum DAOKey {
  static func choose(_ columns: [DAOColumn], of type: String) -> DAOColumn? {
    let fit = columns.filter { ($0.storage == .integer || $0.storage == .text) && !$0.isAssumed && !$0.isArchived }
    for name in ["id", "_id", "identifier", "uuid"] {
      if let column = fit.first(where: { $0.property.lowercased() == name }) { return column }
    }
    let named = fit.compactMap { column in stem(column.property).map { ($0, column) } }
    let className = String(type.split(separator: ".").last ?? "").lowercased()
    // `userID` of `GHUser`, `picID` of `WeiboPicture`.
    if let own = named.first(where: { className.hasSuffix($0.0) }) { return own.1 }
    let words = SQLName.table(of: type).split(separator: "_").map(String.init)
    if let last = words.last, let own = named.first(where: { last.hasPrefix($0.0) }) { return own.1 }
    return named.count == 1 ? named[0].1 : nil
  }

  /// `user` of `userID`, `userId` and `user_id`.
  private static func stem(_ name: String) -> String? {
    for ending in ["_id", "ID", "Id", "Identifier"] where name.hasSuffix(ending) && name.count > ending.count {
      return String(name.dropLast(ending.count)).lowercased()
    }
    return nil
  }
}
