import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas dao generate") struct DAOGenerateTests {
  /// Parses each document by Python's XML parser, runs its statements in SQLite, and prints what it saw.
  private static let check = """
    import json, re, sqlite3, sys, xml.etree.ElementTree as ET
    for module in json.load(sys.stdin)["modules"]:
        root = ET.fromstring(module["xml"].encode())
        assert root.tag == "module" and root.get("initializer") == "createTable", root.attrib
        assert root.get("tableName") == module["table"]
        columns = root.find("const").get("table_columns")
        db = sqlite3.connect(":memory:")
        def sql(element):
            text = element.text.replace("${T}", root.get("tableName")).replace("${table_columns}", columns)
            return re.sub(r"#\\{([^}]*)\\}", "?", text), len(re.findall(r"#\\{", text))
        ids = []
        for element in root:
            if element.tag == "const" or not isinstance(element.tag, str): continue
            text, count = sql(element)
            db.execute(text, [1] * count)
            ids.append(element.get("id"))
        names = [row[1] for row in db.execute("pragma table_info(%s)" % module["table"])]
        wanted = [column["property"] for column in module["columns"]]
        assert [name for name in names if name != "_id" or "_id" in wanted] == wanted, (names, wanted)
        assert ids == ["createTable", "insert", "insertAll", "update", "find", "findAll", "count", "remove", "removeAll"], ids
        for suggestion in re.findall(r"create index .*", module["xml"]):
            db.execute(suggestion.replace("${T}", root.get("tableName")))
        print(module["class"])
    """

  @Test(
    "every class of real headers gives XML that parsers take, with SQL that SQLite takes", .fixtures, .tool("python3"))
  func fixtures() throws {
    let folder = try Fixture.path("project/class_decl")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }
    var classes = 0
    for file in files {
      let made = try Command.run("mpaas", ["dao", "generate", file, "--json"])
      guard made.status == 0 else {
        // A category and the app's delegate have nothing to keep.
        #expect(made.status == 65, "\(file): \(made.errors)")
        #expect(made.errors.contains("dao-no-columns"), "\(file): \(made.errors)")
        continue
      }
      let checked = try Command.run("python3", ["-c", Self.check], input: made.output)
      #expect(checked.status == 0, "\(file): \(checked.errors)")
      classes += checked.output.split(separator: "\n").count
    }
    #expect(classes > 30)
  }

  @Test(
    "standard input may be either language",
    arguments: ["struct Cart { var id: Int }", "@interface Cart : NSObject\n@property NSInteger id;\n@end\n"])
  func standardInput(source: String) throws {
    let made = try Command.run("mpaas", ["dao", "generate", "-"], input: source)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("id integer primary key"), "\(made.errors)")
  }

  @Test("hostile names in Swift give well-formed XML and working SQL", .tool("python3"))
  func hostile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a--b<&>.swift"
    let source =
      "struct Order { var `select`: Int; var order: [String: Set<Int>]?; var 名: String; var f: (A<B>) -> C }\nclass `Group` { let id = 1 }"
    try Data(source.utf8).write(to: URL(filePath: path))
    let made = try Command.run("mpaas", ["dao", "generate", path, "--json"])
    let checked = try Command.run("python3", ["-c", Self.check], input: made.output)
    #expect(made.status == 0, "\(made.errors)\(checked.errors)")
    #expect(checked.output == "Order\nGroup\n", "\(made.errors)\(checked.errors)")
  }

  @Test("one class goes to standard output, several with --output into a folder; changed files are kept")
  func output() throws {
    let folder = try TemporaryFolder()
    let source = folder.path + "/Shop.swift"
    try Data("class Cart { var id: Int; var f: () -> Void }\nclass Item { var name: String? }".utf8).write(
      to: URL(filePath: source))
    let one = try Command.run("mpaas", ["dao", "generate", source, "--class", "Cart", "--table", "carts"])
    #expect(one.status == 0)
    #expect(one.output.hasPrefix("<?xml"))
    #expect(one.output.contains("tableName=\"carts\""))
    #expect(one.output.contains("<!-- Left out: f (() -> Void), which is a function. -->"))
    #expect(one.errors.contains("Cart.f is left out: it is a function"))
    let dash = try Command.run("mpaas", ["dao", "generate", "Shop.swift", "--output", "-"], directory: folder.url)
    #expect(dash.status == 0, "\(dash.errors)")
    #expect(dash.output.split(separator: "<?xml").count == 2, "\(dash.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Shop.swift"])
    let output = folder.path + "/dao"
    let many = try Command.run("mpaas", ["dao", "generate", source, "--output", output])
    #expect(many.status == 0)
    #expect(many.output.contains("CartDAO.xml: 1 columns of Cart in the table cart"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: output).sorted() == ["CartDAO.xml", "ItemDAO.xml"])
    #expect(try Command.run("mpaas", ["dao", "generate", source, "--output", output]).status == 0)
    let file = output + "/ItemDAO.xml"
    let text = try String(contentsOfFile: file, encoding: .utf8) + "<!-- mine -->\n"
    try Data(text.utf8).write(to: URL(filePath: file))
    let refused = try Command.run("mpaas", ["dao", "generate", source, "--output", output, "--json"])
    #expect(refused.status == 73)
    #expect(refused.errors.contains("dao-exists"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    #expect(try Command.run("mpaas", ["dao", "generate", source, "--output", output, "--force"]).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) != text)
    #expect(try Command.run("mpaas", ["dao", "generate", source, "--class", "Nobody"]).status == 66)
    #expect(try Command.run("mpaas", ["dao", "generate", source, "--table", "x"]).status == 64)
    #expect(try Command.run("mpaas", ["dao", "generate", source, "--table", "order"]).status == 64)
    #expect(try Command.run("mpaas", ["dao", "generate", folder.path + "/none.h"]).status == 66)
  }
}
