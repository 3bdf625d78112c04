extension SecretRules {
  /// The rules of the kit: keys, tokens and passwords that are found in apps.
  ///
  /// Forms of tokens are those that their issuers' documentation tells.
  package static func builtIn() throws(SecretRuleError) -> SecretRules {
    try SecretRuleFile.rules(of: BuiltInRules.text, file: "built-in rules")
  }
}

/// The text of the kit's own rules, in the format that `--secret-rules` reads.
enum BuiltInRules {
  static let text = general + keys + clouds + services + assignments

  /// Conditions for all rules: what people write where a secret is to be filled in.
  private static let general = #"""
    title = "mpaas"

    [[allowlists]]
    description = "Words in the place of a secret"
    stopwords = [
      "example", "placeholder", "changeme", "change_me", "change-me", "xxxxxxxx", "your_", "your-", "dummy", "redacted",
      "00000000", "12345678", "abcdefgh", "todo", "replace_", "insert_", "deadbeef", "********", "........",
    ]

    """#

  private static let keys = #"""

    [[rules]]
    id = "private-key"
    description = "A private key in PEM"
    regex = '''-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[\s",'+])*(?:[A-Za-z-]{4,20}: [^\n]{1,80}\n\s*){0,4}([A-Za-z0-9+/=]{40})'''
    keywords = ["private key"]
    entropy = 3

    [[rules]]
    id = "private-key-base64"
    description = "A private key of RSA in base64, as payment services hand it out"
    regex = '''(MII[A-Za-z0-9+/]{2}IBADANBgkqhkiG9w0BAQEFAASC[A-Za-z0-9+/\s]{100})'''
    keywords = ["ibadanbgkqhkig9w0baqefaasc"]

    [[rules]]
    id = "private-key-rsa-base64"
    description = "A private key of RSA (PKCS #1) in base64"
    regex = '''(?:^|[^A-Za-z0-9+/\s-]|[^-]\n)[\s]{0,4}(MII[A-Za-z0-9+/]{2}IBAAK[BC][A-Za-z0-9+/]{100})'''
    keywords = ["ibaakb", "ibaakc"]

    [[rules]]
    id = "age-secret-key"
    description = "A secret key of age"
    regex = '''\b(AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})\b'''
    keywords = ["age-secret-key-1"]

    [[rules]]
    id = "key-store"
    description = "A file with private keys"
    path = '''(?i)(?:^|/)[^/]+\.(?:p12|pfx|p8|jks|keystore|bks)$'''

    """#

  private static let clouds = #"""

    [[rules]]
    id = "aws-access-key"
    description = "An access key of Amazon Web Services"
    regex = '''\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b'''
    keywords = ["akia", "asia", "abia", "acca"]
    entropy = 3

    [[rules]]
    id = "aws-secret-key"
    description = "A secret key of Amazon Web Services"
    regex = '''(?i)aws[\w .-]{0,20}secret[\w .-]{0,20}["'\s]{0,3}(?:[:=]|=>|:=)["'\s]{0,5}([a-z0-9/+]{40})(?:[^a-z0-9/+=]|$)'''
    keywords = ["secret"]
    entropy = 4

    [[rules]]
    id = "alibaba-access-key"
    description = "An access key of Alibaba Cloud"
    regex = '''\b(LTAI[A-Za-z0-9]{12,20})\b'''
    keywords = ["ltai"]
    entropy = 3

    [[rules]]
    id = "alibaba-secret-key"
    description = "A secret key of Alibaba Cloud"
    regex = '''(?i)(?:aliyun|alibaba|oss)[\w .-]{0,20}secret[\w .-]{0,20}["'\s]{0,3}(?:[:=]|=>|:=)["'\s]{0,5}([a-z0-9]{30})\b'''
    keywords = ["secret"]
    entropy = 3.5

    [[rules]]
    id = "tencent-secret-id"
    description = "A secret ID of Tencent Cloud"
    regex = '''\b(AKID[A-Za-z0-9]{32})\b'''
    keywords = ["akid"]
    entropy = 3.5

    [[rules]]
    id = "baidu-access-key"
    description = "An access key of Baidu AI Cloud"
    regex = '''\b(ALTAK[A-Za-z0-9]{21})\b'''
    keywords = ["altak"]
    entropy = 3

    [[rules]]
    id = "google-api-key"
    description = "An API key of Google or Firebase"
    regex = '''\b(AIza[0-9A-Za-z_-]{35})(?:[^0-9A-Za-z_-]|$)'''
    keywords = ["aiza"]
    entropy = 3

    [[rules]]
    id = "google-client-secret"
    description = "A client secret of Google's OAuth"
    regex = '''\b(GOCSPX-[0-9A-Za-z_-]{28})(?:[^0-9A-Za-z_-]|$)'''
    keywords = ["gocspx-"]

    [[rules]]
    id = "firebase-server-key"
    description = "A server key of Firebase Cloud Messaging"
    regex = '''\b(AAAA[0-9A-Za-z_-]{7}:[0-9A-Za-z_-]{140})'''
    keywords = ["aaaa"]
    entropy = 4

    [[rules]]
    id = "azure-storage-key"
    description = "A key of Azure Storage"
    regex = '''(?i)AccountKey\s{0,3}=\s{0,3}([a-z0-9+/]{86}==)'''
    keywords = ["accountkey"]
    entropy = 4

    """#

  private static let services = #"""

    [[rules]]
    id = "github-token"
    description = "A token of GitHub"
    regex = '''\b(gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{82})\b'''
    keywords = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"]
    entropy = 3

    [[rules]]
    id = "gitlab-token"
    description = "A token of GitLab"
    regex = '''\b(gl(?:pat|dt|ft|rt|cbt|ptt)-[0-9A-Za-z_-]{20,64})(?:[^0-9A-Za-z_-]|$)'''
    keywords = ["glpat-", "gldt-", "glft-", "glrt-", "glcbt-", "glptt-"]
    entropy = 3

    [[rules]]
    id = "npm-token"
    description = "A token of npm"
    regex = '''\b(npm_[0-9A-Za-z]{36})\b'''
    keywords = ["npm_"]
    entropy = 3

    [[rules]]
    id = "pypi-token"
    description = "A token of PyPI"
    regex = '''\b(pypi-AgEIcHlwaS5vcmc[0-9A-Za-z_-]{50,})'''
    keywords = ["pypi-ageichlwas5vcmc"]

    [[rules]]
    id = "slack-token"
    description = "A token of Slack"
    regex = '''\b(xox[abeoprs]-[0-9A-Za-z-]{20,250})'''
    keywords = ["xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"]
    entropy = 3

    [[rules]]
    id = "slack-webhook"
    description = "A webhook of Slack"
    regex = '''hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{40,60})'''
    keywords = ["hooks.slack.com"]

    [[rules]]
    id = "stripe-key"
    description = "A secret key of Stripe"
    regex = '''\b((?:sk|rk)_(?:live|test|prod)_[0-9A-Za-z]{20,99})\b'''
    keywords = ["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"]
    entropy = 3

    [[rules]]
    id = "openai-key"
    description = "A key of OpenAI"
    regex = '''\b(sk-[0-9A-Za-z_-]{20,80}T3BlbkFJ[0-9A-Za-z_-]{20,80})'''
    keywords = ["t3blbkfj"]

    [[rules]]
    id = "anthropic-key"
    description = "A key of Anthropic"
    regex = '''\b(sk-ant-(?:api|admin)\d\d-[0-9A-Za-z_-]{80,120})'''
    keywords = ["sk-ant-"]

    [[rules]]
    id = "model-service-key"
    description = "A key of a model service, such as DeepSeek and DashScope"
    regex = '''(?:^|[^0-9A-Za-z_-])(sk-[0-9a-f]{32})(?:[^0-9A-Za-z_-]|$)'''
    keywords = ["sk-"]
    entropy = 3

    [[rules]]
    id = "sendgrid-key"
    description = "A key of SendGrid"
    regex = '''\b(SG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43})(?:[^0-9A-Za-z_-]|$)'''
    keywords = ["sg."]
    entropy = 4

    [[rules]]
    id = "mailgun-key"
    description = "A key of Mailgun"
    regex = '''\b(key-[0-9a-f]{32})\b'''
    keywords = ["key-"]
    entropy = 3

    [[rules]]
    id = "facebook-token"
    description = "An access token of Facebook"
    regex = '''\b(EAA[0-9A-Za-z]{90,})\b'''
    keywords = ["eaa"]
    entropy = 4

    [[rules]]
    id = "mapbox-secret-token"
    description = "A secret token of Mapbox"
    regex = '''\b(sk\.eyJ1[0-9A-Za-z_-]{60,200}\.[0-9A-Za-z_-]{20,40})'''
    keywords = ["sk.eyj1"]

    [[rules]]
    id = "telegram-bot-token"
    description = "A token of a bot of Telegram"
    regex = '''\b([0-9]{8,10}:AA[0-9A-Za-z_-]{33})(?:[^0-9A-Za-z_-]|$)'''
    keywords = [":aa"]
    entropy = 4

    [[rules]]
    id = "discord-webhook"
    description = "A webhook of Discord"
    regex = '''discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/([0-9A-Za-z_-]{60,80})'''
    keywords = ["/api/webhooks/"]

    [[rules]]
    id = "dingtalk-webhook"
    description = "A webhook of DingTalk"
    regex = '''oapi\.dingtalk\.com/robot/send\?access_token=([0-9a-f]{64})'''
    keywords = ["oapi.dingtalk.com"]

    [[rules]]
    id = "wecom-webhook"
    description = "A webhook of WeCom"
    regex = '''qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=([0-9a-f-]{36})'''
    keywords = ["qyapi.weixin.qq.com"]

    [[rules]]
    id = "feishu-webhook"
    description = "A webhook of Feishu"
    regex = '''open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/([0-9a-f-]{36})'''
    keywords = ["/open-apis/bot/"]

    [[rules]]
    id = "wechat-app-secret"
    description = "An app secret of WeChat"
    regex = '''(?i)(?:wechat|weixin|wx)[\w .-]{0,20}secret[\w .-]{0,10}["'\s]{0,3}(?:[:=,]|=>|:=|</key>\s{0,20}<string>|">)["'\s@]{0,5}([0-9a-f]{32})\b'''
    keywords = ["secret"]
    entropy = 3

    [[rules]]
    id = "map-service-key"
    description = "A key of Amap or Baidu Maps"
    regex = '''(?i)(?:amap|gaode|baidu_?map|bmk?map)[\w .-]{0,20}key[\w .-]{0,10}["'\s]{0,3}(?:[:=,]|=>|:=|</key>\s{0,20}<string>|">)["'\s@]{0,5}([0-9a-z]{32})\b'''
    keywords = ["amap", "gaode", "baidumap", "baidu_map", "bmkmap", "bmap"]
    entropy = 3

    [[rules]]
    id = "push-service-secret"
    description = "A secret of a push or statistics service"
    regex = '''(?i)(?:jpush|jiguang|umeng|getui|igetui|bugly|mipush|meizu)[\w .-]{0,20}secret[\w .-]{0,10}["'\s]{0,3}(?:[:=,]|=>|:=|</key>\s{0,20}<string>|">)["'\s@]{0,5}([0-9a-zA-Z]{20,40})\b'''
    keywords = ["secret"]
    entropy = 3

    [[rules]]
    id = "json-web-token"
    description = "A JSON Web Token"
    regex = '''\b(eyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{20,})'''
    keywords = ["eyj"]
    entropy = 3

    """#

  private static let assignments = #"""

    [[rules]]
    id = "password-in-url"
    description = "A password in an address"
    regex = '''\b[a-zA-Z][a-zA-Z0-9+.-]{1,15}://[^\s:/?#@"'<>%${}()\\\[\]*]{1,64}:((?:[^\s:/?#@"'<>%${}()\\\[\]*]|%[0-9A-Fa-f]{2}){3,64})@[A-Za-z0-9.-]{1,80}'''
    keywords = ["://"]

      [[rules.allowlists]]
      description = "Words in the place of a password"
      regexes = ['''(?i)^(?:pass(?:word|wd)?|pwd|secret|user|token|host|x+|\.+)$''']

    [[rules]]
    id = "authorization-basic"
    description = "A name and password for HTTP"
    regex = '''(?i)authorization["']?\s{0,3}[:=,]\s{0,3}["']?basic\s{1,3}([a-z0-9+/]{16,200}={0,2})'''
    keywords = ["authorization"]
    entropy = 3

    [[rules]]
    id = "authorization-bearer"
    description = "A token for HTTP"
    regex = '''(?i)authorization["']?\s{0,3}[:=,]\s{0,3}["']?bearer\s{1,3}([a-z0-9_.~+/-]{24,400}=*)'''
    keywords = ["authorization"]
    entropy = 3.5

    [[rules]]
    id = "secret-in-property-list"
    description = "A secret in a property list"
    regex = '''(?i)<key>[\w .-]{0,40}(?:secret|password|passwd|access_?token|auth_?token|private_?key)[\w .-]{0,20}</key>\s{0,40}<string>([^<>$(){}\s]{8,200})</string>'''
    keywords = ["</key>"]
    entropy = 3

    [[rules]]
    id = "secret-in-resource"
    description = "A secret in a resource of Android"
    regex = '''(?i)<string name="[\w.-]{0,40}(?:secret|password|passwd|access_?token|auth_?token|private_?key)[\w.-]{0,20}"[^<>]{0,40}>([^<>$(){}\s]{8,200})</string>'''
    keywords = ["<string name="]
    entropy = 3

    [[rules]]
    id = "secret-in-assignment"
    description = "A secret in a setting or in a source"
    regex = '''(?i)(?:password|passwd|client_?secret|app_?secret|api_?secret|secret_?key|api_?key|access_?token|auth_?token|private_?token)["']?\s{0,3}(?::|=|=>|:=)\s{0,3}@?["']([^\s"'<>$%{}()\\]{8,120})["']'''
    keywords = ["passw", "secret", "api_key", "apikey", "access_token", "accesstoken", "auth_token", "authtoken", "private_token", "privatetoken"]
    entropy = 3.2

      [[rules.allowlists]]
      description = "Names and paths, which have no digits"
      regexes = ['''^[A-Za-z_.:/-]+$''']

    """#
}
