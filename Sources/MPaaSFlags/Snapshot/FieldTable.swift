/// The fields of contexts that a state names.
struct FieldTable {
  private(set) var names: [String] = []
  private var numbers: [String: Int32] = [:]

  mutating func field(_ name: String) -> CompiledField {
    switch name {
    case "userId": return CompiledField(kind: .userId)
    case "sessionId": return CompiledField(kind: .sessionId)
    case "environment": return CompiledField(kind: .environment)
    case "appName": return CompiledField(kind: .appName)
    case "remoteAddress": return CompiledField(kind: .remoteAddress)
    case "currentTime": return CompiledField(kind: .currentTime)
    default: return CompiledField(kind: .property, name: number(name))
    }
  }

  private mutating func number(_ name: String) -> Int32 {
    if let number = numbers[name] { return number }
    let number = Int32(names.count)
    names.append(name)
    numbers[name] = number
    return number
  }
}
