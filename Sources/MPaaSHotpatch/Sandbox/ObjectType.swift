/// A type of objects, as all states of the process number it.
struct ObjectType: Sendable {
  struct Method: Sendable {
    let name: String
    let signature: SymbolList.Signature
    let body: @Sendable (PatchStack, Int32) throws -> HostResult
  }

  let id: Int32
  let name: String
  let methods: [Method]
}
