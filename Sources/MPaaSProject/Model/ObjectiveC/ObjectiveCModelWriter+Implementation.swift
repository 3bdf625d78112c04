import MPaaSSupport

extension ObjectiveCModelWriter {
  /// The implementation, without a comment above.
  package var implementation: String {
    var text = ObjectiveCText()
    text.lines(["#import \"\(options.file).h\"", ""])
    text.line("NSString *const \(errorDomain) = \(ObjectiveCSpelling.literal(errorDomain));")
    for declaration in set.declarations {
      if case .enumeration(let constants) = declaration.kind, Self.isText(constants) {
        constantValues(constants, declaration, &text)
      }
    }
    text.line()
    let support = ObjectiveCModelSupport.source(domain: errorDomain)
    text.lines(support.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    var readers = ObjectiveCReaders(self)
    let bodies = readers.bodies()
    text.line("// Readers of types: they give nil and an error, or what a property holds.")
    for prototype in readers.prototypes { text.line(prototype) }
    for declaration in set.declarations where Self.isClass(declaration) { extensionOf(declaration, &text) }
    text.line()
    text.lines(bodies)
    for declaration in set.declarations {
      if case .object(let object) = declaration.kind {
        implementation(object, declaration, &readers, &text)
      } else {
        functions(declaration, &text)
      }
    }
    return text.text
  }

  private func constantValues(
    _ constants: [ModelConstant], _ declaration: ModelDeclaration, _ text: inout ObjectiveCText
  ) {
    let name = className(declaration.name)
    text.line()
    for constant in constants {
      let value = ObjectiveCSpelling.literal(constant.value.string ?? "")
      text.line("\(name) const \(self.constant(constant, name)) = \(value);")
    }
  }

  /// The extension that the readers call.
  private func extensionOf(_ declaration: ModelDeclaration, _ text: inout ObjectiveCText) {
    text.line()
    text.line("@interface \(className(declaration.name)) ()")
    text.line("- (instancetype)initWithJSON:(id)json path:(NSString *)path error:(NSError **)error;")
    text.line("@end")
  }

  private func implementation(
    _ object: ModelObject, _ declaration: ModelDeclaration, _ readers: inout ObjectiveCReaders,
    _ text: inout ObjectiveCText
  ) {
    let properties = properties(object)
    text.line()
    text.line("@implementation \(className(declaration.name))")
    text.line()
    text.lines([
      "- (instancetype)initWithJSON:(id)json error:(NSError **)error {",
      "    return [self initWithJSON:json path:@\"\" error:error];", "}", "",
      "- (instancetype)initWithJSON:(id)json path:(NSString *)path error:(NSError **)error {",
      "    if (!(self = [super init])) return nil;", "    if (!JSONReadObject(json, path, error)) return nil;",
    ])
    if !properties.isEmpty { text.line("    NSDictionary<NSString *, id> *members = json;") }
    for property in properties { read(property, &readers, &text) }
    if properties.contains(where: \.isField) {
      let names = properties.filter(\.isField).map { ObjectiveCSpelling.literal($0.jsonName) }
      text.line("    self.nullMembers = JSONNullMembers(members, @[\(names.joined(separator: ", "))]);")
    }
    if let rest = object.rest { readRest(rest, properties, &readers, &text) }
    text.lines(["    return self;", "}", ""])
    write(properties, object, &text)
    text.lines(["", "@end"])
  }

  private func read(_ property: Property, _ readers: inout ObjectiveCReaders, _ text: inout ObjectiveCText) {
    let name = ObjectiveCSpelling.literal(property.jsonName)
    let reader = readers.function(property.type.bare)
    let presence =
      property.isRequired
      ? (property.type.isNullable ? "JSONRequiredOrNull" : "JSONRequired")
      : property.isNullable && property.type.isNullable ? "JSONNullable" : "JSONOptional"
    text.line("    {")
    text.line("        id value = nil;")
    text.line("        if (!\(presence)(members, \(name), path, \(reader), &value, error)) return nil;")
    switch property.storage {
    case .scalar(let type, let getter):
      let cast = type.hasSuffix(" ") ? "(\(type.dropLast()))" : ""
      text.line("        self.\(property.name) = \(cast)[value \(getter)];")
    case .object: text.line("        self.\(property.name) = value;")
    }
    text.line("    }")
  }

  private func readRest(
    _ rest: ModelType, _ properties: [Property], _ readers: inout ObjectiveCReaders, _ text: inout ObjectiveCText
  ) {
    let reader = readers.function(rest)
    let names = properties.map { ObjectiveCSpelling.literal($0.jsonName) }
    let known = "@[\(names.joined(separator: ", "))]"
    text.line("    self.additionalProperties = JSONReadRest(json, \(known), path, \(reader), error);")
    text.line("    if (self.additionalProperties == nil) return nil;")
  }

  private func write(_ properties: [Property], _ object: ModelObject, _ text: inout ObjectiveCText) {
    text.line("- (NSDictionary<NSString *, id> *)JSONObject {")
    text.line("    NSMutableDictionary<NSString *, id> *members = [NSMutableDictionary dictionary];")
    if object.rest != nil {
      let rest = "[members addEntriesFromDictionary:JSONOf(self.additionalProperties)]"
      text.line("    if (self.additionalProperties) \(rest);")
    }
    for property in properties {
      let key = ObjectiveCSpelling.literal(property.jsonName)
      switch property.storage {
      case .scalar: text.line("    [members setObject:@(self.\(property.name)) forKey:\(key)];")
      case .object where !property.isRequired:
        text.line("    if (self.\(property.name)) [members setObject:JSONOf(self.\(property.name)) forKey:\(key)];")
      case .object: text.line("    [members setObject:JSONOf(self.\(property.name)) forKey:\(key)];")
      }
    }
    if properties.contains(where: \.isField) {
      text.line("    for (NSString *name in self.nullMembers) {")
      text.line("        if (![members objectForKey:name]) [members setObject:[NSNull null] forKey:name];")
      text.line("    }")
    }
    text.lines(["    return members;", "}"])
  }

  private func functions(_ declaration: ModelDeclaration, _ text: inout ObjectiveCText) {
    let name = className(declaration.name)
    let type = object(.named(declaration.name))
    text.line()
    text.lines([
      "\(type)\(name)FromJSON(id json, NSError **error) {",
      "    return JSONReadModel\(declaration.name)(json, @\"\", error);", "}",
      "", "id \(name)ToJSON(\(type)value) {", "    return JSONOf(value);", "}",
    ])
  }
}
