import Foundation
import MPaaSXML

/// A mapper of MyBatis as a DAO document, as far as the two mean the same.
struct MyBatisDocument {
  /// The document's text.
  private(set) var xml = ""
  private let names: [String: [String]]
  /// The values that pieces of SQL are included with: constants, in a DAO document.
  private let constants: [String: String]

  /// - Parameter names: The parameters of each statement.
  init(_ mapper: [UInt8], names: [String: [String]]) throws {
    self.names = names
    let text = String(decoding: mapper, as: UTF8.self).replacing(/<!DOCTYPE[^>]*>/, with: "")
    let root = try XMLDocument.root(of: Array(text.utf8))
    constants = Self.properties(root)
    let words = constants.map { " \($0.key)=\"\(Self.escaped($0.value))\"" }.joined()
    xml = "<module name=\"mybatis\"><const\(words)/>" + root.elements.map(part).joined() + "</module>"
  }

  private static func properties(_ element: XMLElement) -> [String: String] {
    let own = element.name == "property" ? [element["name"] ?? "": element["value"] ?? ""] : [:]
    return element.elements.reduce(own) { $0.merging(properties($1)) { $1 } }
  }

  private func part(_ element: XMLElement) -> String {
    let id = element["id"] ?? ""
    let arguments = names[id].map { " arguments=\"\($0.joined(separator: ", "))\"" } ?? ""
    return "<\(element.name) id=\"\(id)\"\(arguments)>\(content(element))</\(element.name)>"
  }

  private func content(_ element: XMLElement) -> String {
    element.children.map { child in
      switch child {
      case .text(let text): Self.escaped(references(String(decoding: text.bytes, as: UTF8.self)))
      case .element(let element): self.element(element)
      }
    }.joined()
  }

  private func element(_ element: XMLElement) -> String {
    if element.name == "include" { return "${\(element["refid"] ?? "")}" }
    let attributes = element.attributes.filter { $0.name != "nullable" }.map { name, value in
      name == "test" ? (name: "true", value: Self.expression(value)) : (name: name, value: value)
    }
    let words = attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined()
    return "<\(element.name)\(words)>\(content(element))</\(element.name)>"
  }

  /// `${…}`, which puts a parameter into the SQL as it stands, and `#{…}` without hints of types.
  private func references(_ text: String) -> String {
    text.replacing(/\$\{\s*([^}]*?)\s*\}/) { match in
      constants[String(match.output.1)] == nil ? "@{\(match.output.1) no \"\"}" : String(match.output.0)
    }
    .replacing(/#\{\s*([^,}]*?)\s*(,[^}]*)?\}/) { "#{\($0.output.1)}" }
  }

  private static func expression(_ text: String) -> String {
    text.replacing("\"", with: "'").replacing(".size()", with: ".count").replacing(/\bgt\b/, with: ">")
      .replacing(/!(?=[a-z])/, with: "not ")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
