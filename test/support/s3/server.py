# OpenStack Swift with its S3 API (Debian: python3-swift) in one process, for tests: account, container, object and proxy servers on
# loopback, one copy of everything in a folder. Usage: /usr/bin/python3 server.py FOLDER PORT ACCESS_KEY SECRET
import configparser
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi
from swift.common import storage_policy, utils
from swift.common.ring import RingBuilder

folder, port, access_key, secret = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
project, user = access_key.split(":")
os.makedirs(os.path.join(folder, "devices", "d1"), exist_ok=True)

conf_file = os.path.join(folder, "swift.conf")
with open(conf_file, "w") as conf:
    conf.write("[swift-hash]\nswift_hash_path_suffix = suffix\nswift_hash_path_prefix = prefix\n")
    conf.write("[storage-policy:0]\nname = one\ndefault = yes\n")
utils.SWIFT_CONF_FILE = conf_file
utils.HASH_PATH_SUFFIX, utils.HASH_PATH_PREFIX = b"suffix", b"prefix"
parsed = configparser.ConfigParser()
parsed.read(conf_file)
storage_policy._POLICIES = storage_policy.parse_storage_policies(parsed)

sockets = {name: eventlet.listen(("127.0.0.1", 0)) for name in ("account", "container", "object")}
for name, socket in sockets.items():
    builder = RingBuilder(2, 1, 1)
    builder.add_dev({"region": 1, "zone": 1, "weight": 1, "device": "d1",
                     "ip": "127.0.0.1", "port": socket.getsockname()[1]})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, name + ".ring.gz"))

settings = {"devices": os.path.join(folder, "devices"), "mount_check": "false", "swift_dir": folder,
            "fallocate_reserve": "0", "log_level": "ERROR"}

from swift.account.server import AccountController
from swift.container.server import ContainerController
from swift.obj.server import ObjectController

for name, controller in (("account", AccountController), ("container", ContainerController), ("object", ObjectController)):
    eventlet.spawn(wsgi.server, sockets[name], controller(settings), log_output=False)

proxy_conf = os.path.join(folder, "proxy.conf")
with open(proxy_conf, "w") as conf:
    conf.write(f"""[DEFAULT]
swift_dir = {folder}
log_level = ERROR
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth bulk slo copy proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_{project}_{user} = {secret} .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:copy]
use = egg:swift#copy
""")

from swift.common.wsgi import loadapp


class Cache(dict):
    """In place of memcached: nothing in it expires."""

    def __bool__(self):
        return True

    def get(self, key, default=None, raise_on_error=False):
        return super().get(key, default)

    def set(self, key, value, **options):
        self[key] = value

    def incr(self, key, delta=1, time=0):
        self[key] = super().get(key, 0) + delta
        return self[key]

    def delete(self, key, server_key=None):
        self.pop(key, None)


cache = Cache()
proxy = loadapp(proxy_conf, global_conf={"log_name": "proxy"})


def app(env, start_response):
    env["swift.cache"] = cache
    return proxy(env, start_response)


listening = eventlet.listen(("127.0.0.1", port))
print(f"listening {listening.getsockname()[1]}", flush=True)
wsgi.server(listening, app, log_output=False)
