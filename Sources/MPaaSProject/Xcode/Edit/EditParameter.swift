/// One parameter of an edit, described once: the member of an operation in a file, the argument of its command, and the
/// property that it sets.
package struct EditParameter<Operation: Sendable>: Sendable {
  typealias Property<Value> = any WritableKeyPath<Operation, Value> & Sendable
  typealias Reading = @Sendable (any EditInput, inout Operation) throws(ProjectEditError) -> Void

  /// The name of the member in a file of operations: `phase_position`.
  package let key: String
  /// Presence in files of operations; false for what only a command takes.
  package let isMember: Bool
  /// The argument of the command; nil for what only a file has.
  package let argument: EditArgument?
  let read: Reading

  init(
    _ key: String, isMember: Bool = true, _ argument: EditArgument? = nil,
    read: @escaping Reading = { (_, _) throws(ProjectEditError) in }
  ) {
    self.key = key
    self.isMember = isMember
    self.argument = argument.map { $0.named(after: key) }
    self.read = read
  }
}

// MARK: - Kinds of values

extension EditParameter {
  static func text(_ key: String, _ property: Property<String>, _ argument: EditArgument? = nil) -> Self {
    Self(key, argument?.required()) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.required(key)
    }
  }

  static func text(_ key: String, _ property: Property<String?>, _ argument: EditArgument) -> Self {
    Self(key, argument) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.text(key)
    }
  }

  /// A path of the project, or from its folder.
  static func path(_ key: String, _ property: Property<String>, _ argument: EditArgument) -> Self {
    Self(key, argument.required()) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = input.projectPath(try input.required(key))
    }
  }

  static func path(_ key: String, _ property: Property<String?>, _ argument: EditArgument) -> Self {
    Self(key, argument) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.text(key).map(input.projectPath)
    }
  }

  static func paths(_ key: String, _ property: Property<[String]>, _ argument: EditArgument) -> Self {
    Self(key, argument.kind(.texts).required()) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.requiredTexts(key).map(input.projectPath)
    }
  }

  static func texts(_ key: String, _ property: Property<[String]>, _ argument: EditArgument) -> Self {
    Self(key, argument.kind(.texts)) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.texts(key)
    }
  }

  static func requiredTexts(_ key: String, _ property: Property<[String]>, _ argument: EditArgument? = nil) -> Self {
    Self(key, argument?.kind(.texts).required()) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.requiredTexts(key)
    }
  }

  /// A truth value that is false where nothing is said.
  static func flag(_ key: String, _ property: Property<Bool>, _ argument: EditArgument? = nil) -> Self {
    Self(key, argument?.kind(.flag)) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.flag(key, default: false)
    }
  }

  /// A truth value that is true where nothing is said; the option `--no-…` makes it false.
  static func negatedFlag(_ key: String, _ property: Property<Bool>, _ argument: EditArgument) -> Self {
    Self(key, argument.kind(.negatedFlag)) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.flag(key, default: true)
    }
  }

  static func choice<Value: EditChoice>(
    _ key: String, _ property: Property<Value?>, _ argument: EditArgument
  ) -> Self {
    Self(key, argument.kind(.choice(Value.self))) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.choice(key)
    }
  }

  static func position(
    _ key: String, _ property: Property<EditPosition?>, _ argument: EditArgument
  ) -> Self {
    Self(key, argument.kind(.position)) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.position(key)
    }
  }

  /// Names and what they are set to: an object in a file, `KEY=VALUE` words of a command.
  static func assignments(
    _ key: String, _ property: Property<[EditAssignment]>, _ argument: EditArgument
  ) -> Self {
    Self(key, argument.kind(.texts)) { (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = try input.assignments(key)
    }
  }
}

// MARK: - Parameters that many edits have

extension EditParameter {
  /// - Parameter help: The text that says which targets are meant where none is named.
  static func targets(_ property: Property<TargetWords>, _ help: String = "target") -> Self {
    Self("targets", EditArgument.option(help, "name", .target).kind(.texts)) {
      (input, operation) throws(ProjectEditError) in
      operation[keyPath: property] = TargetWords(try input.texts("targets"))
    }
  }

  static func configurations(_ property: Property<[String]>) -> Self {
    texts("configurations", property, .option("configuration", "name", .configuration))
  }

  static func group(_ property: Property<String?>, _ help: String = "group") -> Self {
    text("group", property, .option(help, "group"))
  }

  static func position(_ property: Property<EditPosition?>, _ help: String = "position") -> Self {
    position("position", property, .option(help, "place"))
  }

  static func phasePosition(_ property: Property<EditPosition?>) -> Self {
    position("phase_position", property, .option("phase-position", "place"))
  }

  /// A command's wish for lists even of one value.
  static var list: Self { Self("list", isMember: false, EditArgument.option("set.list").kind(.flag)) }

  /// Permission to take what is not on disk.
  static func missing(_ property: Property<Bool>) -> Self { flag("missing", property, .option("missing")) }
}
