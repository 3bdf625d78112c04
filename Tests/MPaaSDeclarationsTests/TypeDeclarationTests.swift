import MPaaSDeclarations
import Testing

@Suite("Declarations") struct TypeDeclarationTests {
  @Test("types that differ in a property differ")
  func equality() {
    let id = PropertyDeclaration(name: "id", type: "Int", line: 2)
    let one = TypeDeclaration(kind: .class, name: "User", properties: [id], line: 1, column: 7)
    #expect(one != TypeDeclaration(kind: .class, name: "User", line: 1, column: 7))
  }
}
