"""表单中填写的内容有什么问题。"""

WORDS = {
    "forms.integer": "这里需要整数",
    "forms.number": "这里需要数字",
    "forms.minimum": "不能小于 {least}",
    "forms.maximum": "不能大于 {most}",
    "forms.shortest": "至少需要 {count} 个字符",
    "forms.longest": "最多 {count} 个字符",
    "forms.email": "这里需要电子邮件地址",
    "forms.uri": "这里需要地址，例如 https://example.org",
    "forms.date": "这里需要日期，例如 2030-01-31",
    "forms.date_time": "这里需要日期和时间，例如 2030-01-31T12:00:00Z",
    "forms.listed": "需要其中之一：{values}",
}
