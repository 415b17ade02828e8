# SPDX-License-Identifier: Apache-2.0
#
# Jobs of several ranks, for scripts that have read lib.sh.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_btl_tcp_if_include=lo
export HYDRA_IFACE=lo UCX_NET_DEVICES=lo

# find_launcher openmpi|mpich: sets launcher, plugins and other. Exits with 77 if this MPI is missing.
find_launcher() {
	case $1 in
	openmpi) launcher=mpirun.openmpi other=mpich ;;
	mpich) launcher=mpiexec.hydra other=openmpi ;;
	esac
	plugins=$(dirname "$filch")/../lib*/filch
	if ! command -v $launcher >/dev/null || ! ls $plugins/search-mpi-"$1".so >/dev/null 2>&1; then
		echo "skipped: $launcher or the plug-in for $1 is missing"
		exit 77
	fi
}

# ranks N CODE ARGUMENT...: filch solve with the arguments on N ranks. The exit code is compared if it is not "-".
ranks() {
	n=$1
	expected=$2
	shift 2
	code=0
	timeout 300 $launcher -n "$n" "$filch" solve "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
	if [ "$expected" != - ] && [ $code != "$expected" ]; then fail "$n ranks: $*: exit code $code, not $expected"; fi
}
