import MPaaSPinyin

struct Contact: Sendable {
  var name: String
  var account: String
}

let everybody = [
  Contact(name: "张三", account: "zs88"),
  Contact(name: "单雄信", account: "xx01"),
  Contact(name: "李小龙", account: "dragon"),
  Contact(name: "曾国藩", account: "zgf"),
]

let sections = everybody.sectioned { $0.name }
for section in sections.sections {
  print(section.title, section.elements.map(\.name).joined(separator: " "))
}

let contacts = PinyinSearchManager<Contact>(primary: { $0.name }, secondary: { $0.account })
contacts.build(sections)
for match in try await contacts.search("zs").primary {
  print("zs:", match.element.name)
}
