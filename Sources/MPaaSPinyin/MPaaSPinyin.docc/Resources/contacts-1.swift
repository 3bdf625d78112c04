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
