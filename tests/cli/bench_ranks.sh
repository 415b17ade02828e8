#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_ranks.sh FILCH: real jobs, if MPI can be started, and simulated ones: table and JSON are complete.
set -eu
. "$(dirname "$0")/lib.sh"
export OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_btl_tcp_if_include=lo HYDRA_IFACE=lo UCX_NET_DEVICES=lo

exits 0 bench ranks --quick --marks 8 --most 1000 --work 100 --json "$work/result.json"
out_has "one     1000"
out_has "tree    1000"
valid_json "$work/result.json"
for way in one tree; do
	grep -q "\"subject\": \"$way\"" "$work/result.json" || fail "no $way in the JSON"
done
if ! grep -q "no MPI can be started" "$work/err"; then
	out_has "real       4"
	out_has "model      4"
fi
# Without any launcher there are simulations only.
code=0
env PATH="$work" "$filch" bench ranks --quick --most 10 --work 10 >"$work/out" 2>"$work/err" </dev/null || code=$?
if [ $code != 0 ]; then fail "without a launcher: exit code $code"; fi
err_has "no MPI can be started here"
out_has "one"
command="bench ranks"
try="filch bench ranks --help"
refuses "--marks" --marks 99
exit $failed
