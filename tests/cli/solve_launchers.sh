#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# solve_launchers.sh FILCH: what filch solve sees in the environment: the launchers of Open MPI, MPICH and Slurm, and a
# batch script that is no rank. No MPI is needed: the plug-in is missing on purpose, and filch must say so.
set -eu
. "$(dirname "$0")/lib.sh"
unset OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_RANK PMIX_RANK PMI_SIZE PMI_RANK SLURM_NTASKS SLURM_PROCID SLURM_STEP_ID || true

# under VARIABLE=VALUE...: filch solve with these variables. Sets code.
under() {
	code=0
	env FILCH_MPI="$work/none.so" "$@" "$filch" solve golomb 6 >"$work/out" 2>"$work/err" </dev/null || code=$?
}
# is_rank RANKS VARIABLE=VALUE...: rank 0 says that it cannot run as one of so many ranks.
is_rank() {
	number=$1
	shift
	under "$@"
	if [ $code != 1 ]; then fail "$*: exit code $code, not 1"; fi
	err_has "filch solve: started as one of $number ranks, but cannot load the plug-in for MPI"
	err_has "start it without mpirun"
	if [ -s "$work/out" ]; then fail "$*: filch solves without the other ranks"; fi
}
# is_alone VARIABLE=VALUE...: an ordinary run.
is_alone() {
	under "$@"
	if [ $code != 0 ] || [ -s "$work/err" ]; then fail "$*: exit code $code, not 0"; fi
	out_has "17"
}
# is_silent VARIABLE=VALUE...: a rank other than 0 fails without a word.
is_silent() {
	under "$@"
	if [ $code != 1 ] || [ -s "$work/out" ] || [ -s "$work/err" ]; then fail "$*: exit code $code, or output"; fi
}

is_alone
is_rank 2 OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 PMIX_RANK=0
is_silent OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 PMIX_RANK=1
is_rank 3 PMI_SIZE=3 PMI_RANK=0
is_silent PMI_SIZE=3 PMI_RANK=2
# srun: with PMIx, with PMI-2, and without either. sbatch runs its script outside of a step.
is_rank 8 SLURM_NTASKS=8 SLURM_PROCID=0 SLURM_STEP_ID=0 PMIX_RANK=0
is_rank 8 SLURM_NTASKS=8 SLURM_PROCID=0 SLURM_STEP_ID=0 PMI_SIZE=8 PMI_RANK=0
is_rank 8 SLURM_NTASKS=8 SLURM_PROCID=0 SLURM_STEP_ID=0
is_silent SLURM_NTASKS=8 SLURM_PROCID=7 SLURM_STEP_ID=0
is_alone SLURM_NTASKS=8
is_alone SLURM_NTASKS=8 SLURM_PROCID=0
is_alone SLURM_NTASKS=1 SLURM_PROCID=0 SLURM_STEP_ID=0
# A single rank, and values that make no sense.
is_alone OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0
is_alone OMPI_COMM_WORLD_SIZE=two OMPI_COMM_WORLD_RANK=0
is_alone PMI_SIZE=-3
is_alone OMPI_COMM_WORLD_SIZE= PMI_SIZE=
exit $failed
