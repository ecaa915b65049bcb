"""服务器对人说的话。"""

WORDS = {
    "server.too_slow": (
        "已断开：有超过 {size} 字节在等待此客户端，而它没有读取 · 请读得快些，或重新连接，从最后看到的事件之后恢复会话"
    ),
    "server.not_initialized": "Not initialized: initialize comes first",
    "server.already_initialized": "Already initialized",
    "server.bad_folder": "目录名不能含 NUL · 请发送它的路径",
    "server.unknown_method": "未知的方法 {method} · daedal app-server generate-json-schema 会写出所有方法",
    "server.id_in_use": "id {id} 属于此连接上另一个尚未应答的请求 · 请让 id 递增",
    "server.overloaded": "此连接已有 {count} 个请求在进行 · 请等待其中一些的应答",
    "server.engine_cannot": "此引擎没有 {what}",
    "server.never_asked": "收到对请求 {id} 的应答，但没有以此 id 提过问",
    "server.bad_input": "类型为 {type} 的输入不能交给这里的模型：{why}",
    "server.bad_policy": "{value} 不是审批策略 · 可用：untrusted、on-request 或 never；或 ask、auto、yolo、never",
    "server.bad_sandbox": "{value} 不是沙箱模式 · 可用：read-only、workspace-write 或 danger-full-access",
    "server.detached_review": "不提供在独立会话中的评审 · 请新建会话，在其中以 inline 方式评审",
    "server.bad_target": "评审目标只能是 uncommittedChanges、baseBranch、commit 或 custom：{why}",
    "server.listen_address": "{address} 不是可监听的地址 · 可用：stdio://、unix://PATH 或 ws://127.0.0.1:PORT",
    "server.not_loopback": "{host} 不仅限于本机 · 请监听 127.0.0.1，再用 ssh 或代理通到那里",
    "server.socket_taken": "已有程序在监听 {path} · 请换一个路径，或结束另一个服务器",
    "server.not_a_socket": "{path} 已存在且不是套接字 · 请换一个路径",
    "server.cannot_listen": "无法监听 {address}：{error}",
    "server.unreachable": "{address} 没有服务器应答：{error} · 用 daedal app-server --listen {address} 启动一个",
    "server.no_answer": "{seconds} 秒内没有回应",
    "server.too_many_clients": "已连接 {count} 个客户端 · 请先关闭一个",
    "server.token_short": "{source} 中的令牌少于 {length} 个字符 · 请加长",
    "server.token_unreadable": "无法读取令牌文件 {path}：{error}",
}
