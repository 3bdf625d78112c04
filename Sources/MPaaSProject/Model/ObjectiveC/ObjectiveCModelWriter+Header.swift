import MPaaSSupport

extension ObjectiveCModelWriter {
  /// The header, without a comment above.
  package var header: String {
    var text = ObjectiveCText()
    text.lines(["#import <Foundation/Foundation.h>", "", "NS_ASSUME_NONNULL_BEGIN", ""])
    text.comment(["The domain of errors; `path` in their information leads to what is wrong: `/books/3/title`."])
    text.line("FOUNDATION_EXPORT NSString *const \(errorDomain);")
    for declaration in set.declarations {
      if case .enumeration(let constants) = declaration.kind { enumeration(constants, declaration, &text) }
    }
    let classes = set.declarations.filter(Self.isClass).map { className($0.name) }
    if !classes.isEmpty {
      text.line()
      for name in classes { text.line("@class \(name);") }
    }
    for declaration in set.declarations {
      if case .object(let object) = declaration.kind { interface(object, declaration, &text) }
    }
    for declaration in set.declarations where !Self.isClass(declaration) { functions(declaration, &text) }
    text.lines(["", "NS_ASSUME_NONNULL_END"])
    return text.text
  }

  private func enumeration(
    _ constants: [ModelConstant], _ declaration: ModelDeclaration, _ text: inout ObjectiveCText
  ) {
    let name = className(declaration.name)
    guard Self.isText(constants) || Self.isWhole(constants) else { return }
    text.line()
    text.comment(declaration.documentation)
    if Self.isText(constants) {
      text.line("typedef NSString *\(name);")
      for constant in constants { text.line("FOUNDATION_EXPORT \(name) const \(self.constant(constant, name));") }
    } else {
      text.line("typedef NS_ENUM(NSInteger, \(name)) {")
      for constant in constants {
        text.line("    \(self.constant(constant, name)) = \(Self.literal(constant.value.integer(Int.self) ?? 0)),")
      }
      text.line("};")
    }
  }

  func constant(_ constant: ModelConstant, _ name: String) -> String {
    let word = constant.name.drop { $0 == "_" }
    let whole = name + word.prefix(1).uppercased() + word.dropFirst()
    // C has one room for the names of types and of values.
    return kinds.keys.contains { className($0) == whole } ? whole + "Value" : whole
  }

  /// The smallest number is no literal of C, which reads the minus as an operator.
  private static func literal(_ number: Int) -> String { number == .min ? "NSIntegerMin" : String(number) }

  private func interface(_ object: ModelObject, _ declaration: ModelDeclaration, _ text: inout ObjectiveCText) {
    text.line()
    text.comment(declaration.documentation)
    text.line("@interface \(className(declaration.name)) : NSObject")
    text.line()
    let properties = properties(object)
    for property in properties {
      text.comment(property.documentation + enumerationNote(property))
      text.line(self.declaration(property))
    }
    if let rest = object.rest {
      text.comment(["Members that have no property of their own."])
      text.line("@property (nonatomic, copy, nullable) \(self.object(.map(rest)))additionalProperties;")
    }
    if properties.contains(where: \.isField) {
      text.comment(["The names of members in JSON that are null; those that are nil and not named here are missing."])
      text.line("@property (nonatomic, copy, nullable) NSSet<NSString *> *nullMembers;")
    }
    if !properties.isEmpty || object.rest != nil { text.line() }
    text.comment(["Reads what NSJSONSerialization gave; nil and an error where it is not what it should be."])
    text.line("- (nullable instancetype)initWithJSON:(id)json error:(NSError **)error;")
    text.comment(["As NSJSONSerialization writes it."])
    text.line("@property (nonatomic, readonly) NSDictionary<NSString *, id> *JSONObject;")
    text.lines(["", "@end"])
  }

  private func declaration(_ property: Property) -> String {
    switch property.storage {
    case .scalar(let type, _):
      return "@property (nonatomic, assign) \(type.hasSuffix(" ") ? type : type + " ")\(property.name);"
    case .object(let type):
      let isCollection = ["NSString", "NSArray", "NSDictionary"].contains { type.hasPrefix($0) }
      let isCopied = isCollection || isTextual(property.type)
      let attributes = ["nonatomic", isCopied ? "copy" : "strong"] + (property.isNullable ? ["nullable"] : [])
      return "@property (\(attributes.joined(separator: ", "))) \(type)\(property.name);"
    }
  }

  private func isTextual(_ type: ModelType) -> Bool {
    if case .named(let name) = resolved(type.bare), case .enumeration(let constants)? = kind(name) {
      return Self.isText(constants)
    }
    return false
  }

  private func enumerationNote(_ property: Property) -> [String] {
    guard case .named(let name) = resolved(property.type.bare), isWhole(name), property.storage == .object("NSNumber *")
    else { return [] }
    return ["A \(className(name))."]
  }

  private func functions(_ declaration: ModelDeclaration, _ text: inout ObjectiveCText) {
    let name = className(declaration.name)
    let type = object(.named(declaration.name))
    text.line()
    text.comment(["Reads what NSJSONSerialization gave; nil and an error where it is not what it should be."])
    text.line("FOUNDATION_EXPORT \(type)_Nullable \(name)FromJSON(id json, NSError **error);")
    text.comment(["As NSJSONSerialization writes it."])
    text.line("FOUNDATION_EXPORT id \(name)ToJSON(\(type)value);")
  }
}

/// Lines of Objective-C.
struct ObjectiveCText {
  private var all: [String] = []

  var text: String { all.joined(separator: "\n") + "\n" }

  mutating func line(_ line: String = "") { all.append(line) }
  mutating func lines(_ lines: [String]) { all += lines }

  /// A documentation comment, wrapped.
  mutating func comment(_ paragraphs: [String]) {
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { line("///") }
      var current = "///"
      for word in paragraph.split(whereSeparator: SwiftText.endsWord) {
        if current.count + word.count >= 100, current.count > 3 {
          comment(line: current)
          current = "///"
        }
        current += " " + word
      }
      if current != "///" { comment(line: current) }
    }
  }

  /// A backslash at the end would take the next line into the comment.
  private mutating func comment(line text: String) { line(text.hasSuffix("\\") ? text + " ." : text) }
}
