/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision diagrams: exact, restricted and relaxed diagrams of a problem, and a parallel solver that branches on them.
 * A library of its own: link filch_dd.
 *
 * A problem is a dynamic program: variables, a state, and a function that makes the children of a state. This one is a
 * knapsack; its state is the capacity left:
 *
 *	static int64_t root(const struct filch_dd_layer *layer, void *state)
 *	{
 *		*(int64_t *)state = knapsack.capacity;
 *		return 0;
 *	}
 *
 *	static void expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
 *	{
 *		int64_t left = *(const int64_t *)state, weight = knapsack.weight[layer->variable];
 *
 *		*(int64_t *)filch_dd_child(children, 0, 0) = left;
 *		if (weight <= left)
 *			*(int64_t *)filch_dd_child(children, 1, knapsack.profit[layer->variable]) = left - weight;
 *	}
 *
 *	static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
 *	{
 *		if (*(int64_t *)into < *(const int64_t *)state)
 *			*(int64_t *)into = *(const int64_t *)state;
 *	}
 *
 *	struct filch_dd_problem p = {.struct_size = sizeof p, .goal = FILCH_SEARCH_MAXIMISE, .variables = 4,
 *				     .state_size = sizeof(int64_t), .root = root, .expand = expand, .merge = merge};
 *	struct filch_dd *dd;
 *
 *	filch_dd_create(&dd, &p, NULL);
 *	filch_dd_run(dd, &result);
 *	filch_dd_destroy(dd);
 *
 * The value of a node is the value of the root plus the costs of the arcs on its best path. The best value of a node in
 * the last layer is the optimum. All values lie between -FILCH_DD_VALUE_MAX and FILCH_DD_VALUE_MAX.
 *
 * Functions of the problem run in several threads at once. They must not change data that threads share, except for
 * the storage in layer->local.
 */
#ifndef FILCH_DD_H
#define FILCH_DD_H

#include "search.h"

FILCH_BEGIN_DECLS

#define FILCH_DD_VALUE_MAX (INT64_C(1) << 60)

struct filch_dd;
struct filch_dd_diagram;

/* The layer that a function of the problem works for. */
struct filch_dd_layer {
	void *arg;		/* of the problem */
	void *local;		/* storage of this thread: local_size bytes, all zero at first; see local_begin */
	int depth;		/* number of variables that are decided in the states of the layer */
	int variable;		/* the next variable to decide; -1: not known, or all variables are decided */
	const int32_t *decided; /* the variables decided above the layer, depth of them */
};

/* An arc to a child. */
struct filch_dd_arc {
	int64_t cost;
	int32_t label;
	uint32_t child; /* for the library */
};

/* The children of one state. For filch_dd_child() only. */
struct filch_dd_children {
	unsigned char *states_;
	struct filch_dd_arc *arcs_;
	size_t stride_;
	uint32_t count_, room_, overflow_;
};

/*
 * Adds a child: the variable of the layer takes this label, at this cost. Returns room for the state of the child,
 * state_size bytes aligned to 8, with undefined contents. The function must set all bytes, except if the problem has
 * its own hash and equal. A function may add at most children_max children.
 */
static inline void *filch_dd_child(struct filch_dd_children *children, int32_t label, int64_t cost)
{
	unsigned char *state = children->states_ + (size_t)children->count_ * children->stride_;
	struct filch_dd_arc *arc = &children->arcs_[children->count_];

	arc->label = label;
	arc->cost = cost;
	if (children->count_ < children->room_)
		children->count_++;
	else
		children->overflow_ = 1;
	return state;
}

enum filch_dd_flag {
	/*
	 * The state alone says which values can be added below it, at any depth, and a state that has changed never
	 * comes back below itself. Then the library uses a threshold in all layers, and the bound of a state is not
	 * computed again where the state does not change from one layer to the next.
	 */
	FILCH_DD_STATE_ONLY = 1,
	/* The last exact layer is the better cutset for this problem, if the options name none. */
	FILCH_DD_LAYER_CUTSET = 2,
	/* States seldom come again in other subproblems: the solver keeps no thresholds. */
	FILCH_DD_NO_THRESHOLDS = 4,
	/*
	 * A few wide diagrams suit the problem better than many narrow ones. If the options name no width, the solver
	 * compiles wider and wider diagrams of the root before it branches, until one is exact or they have cost some
	 * millions of nodes. The subproblems begin with the width that was reached.
	 */
	FILCH_DD_WIDEN = 8
};

/*
 * A problem. Only variables, state_size, goal, root and expand are needed.
 *
 * root: writes the state of the root, and returns its value.
 *
 * expand: adds all children of a state with filch_dd_child(). A state without children has no solution below it. The
 * states of the last layer are not expanded: all variables are decided there.
 *
 * next_variable: chooses the variable of a layer, from its count states, which are stride bytes apart. -1: the states
 * of the layer have no variable left to decide, so that it is the last layer. Variables that are never chosen have
 * label 0 in the solution. NULL: the variables in the order of their numbers.
 *
 * merge: changes the state `into` so that it also stands for another state: each path below one of the two must be
 * possible below the merged state, at the same cost or better. NULL: there are no relaxed diagrams, and the solver
 * works with restricted diagrams and bounds only.
 *
 * merge_cost: an amount that is added to the value of a state when it becomes a merged state. NULL: 0.
 *
 * group: states are merged only with states of the same group, as long as the layer has no more groups than its width.
 * NULL: all states are of one group.
 *
 * bound: no path below the state adds more to its value (minimise: less). The solver prunes the state if the bound is
 * limit or worse. A bound that is better than limit only says that the state is not pruned: the function may stop as
 * soon as it knows this, and return any value better than limit. It may also stop as soon as a weaker bound is limit or
 * worse, and return this weaker bound. A state without any solution: INT64_MIN (minimise: INT64_MAX).
 *
 * rank: a restricted or relaxed diagram keeps the states with the largest rank. NULL: the states with the best values.
 * If two states have equal rank, the first state
 * stays.
 *
 * dominance: writes a key of key_size bytes and the coordinates of a state. Larger coordinates are better. State a
 * dominates state b of the same depth and key if all coordinates and the value of a are at least as good as those of b,
 * and the two differ.
 * Returns 0 if the state takes no part. The library prunes states that are dominated.
 *
 * hash, equal: for states with bytes that do not count, or with several forms. NULL: all bytes count.
 *
 * width: of the diagrams of a subproblem in which depth variables are decided. NULL: the number of undecided variables.
 *
 * check: the value of a solution, computed from the instance alone. 0, or an error if it is no solution. The solver
 * checks its best solution before it returns it.
 *
 * describe: writes a short text of the state, for pictures, like snprintf().
 *
 * local_begin, local_end: for the storage of each thread. local_begin returns 0 or an error.
 */
struct filch_dd_problem {
	size_t struct_size; /* sizeof(struct filch_dd_problem) */
	void *arg;
	int64_t (*root)(const struct filch_dd_layer *layer, void *state);
	void (*expand)(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children);
	int (*next_variable)(const struct filch_dd_layer *layer, const void *states, size_t count, size_t stride);
	void (*merge)(const struct filch_dd_layer *layer, void *into, const void *state);
	int64_t (*merge_cost)(const struct filch_dd_layer *layer, const void *state, const void *merged);
	int64_t (*bound)(const struct filch_dd_layer *layer, const void *state, int64_t limit);
	int64_t (*rank)(const struct filch_dd_layer *layer, const void *state, int64_t value);
	int (*dominance)(const struct filch_dd_layer *layer, const void *state, void *key, int64_t *coordinates);
	uint64_t (*hash)(const void *state, void *arg);
	int (*equal)(const void *a, const void *b, void *arg);
	size_t (*width)(int depth, void *arg);
	int (*check)(const int32_t *labels, int64_t *value, void *arg);
	int (*describe)(const void *state, char *text, size_t size, void *arg);
	int (*local_begin)(void *local, void *arg);
	void (*local_end)(void *local, void *arg);
	size_t local_size;
	size_t state_size;     /* bytes */
	size_t key_size;       /* bytes of a key of dominance; 0: all states of a depth have the same key */
	unsigned coordinates;  /* number of coordinates of dominance, at most 8 */
	unsigned children_max; /* children of one state at most; 0: 2 */
	int variables;	       /* number of variables */
	int goal;	       /* FILCH_SEARCH_MAXIMISE or FILCH_SEARCH_MINIMISE */
	unsigned flags;	       /* enum filch_dd_flag */
	uint64_t fingerprint;  /* of the instance: a checkpoint of another one is refused */
	uint64_t (*group)(const struct filch_dd_layer *layer, const void *state);
};

/* ---- diagrams ---- */

enum filch_dd_kind {
	FILCH_DD_EXACT = 0, /* all states */
	FILCH_DD_RESTRICTED =
		1,	     /* at most width states in a layer, the others are dropped: its best path is a solution */
	FILCH_DD_RELAXED = 2 /* at most width states in a layer, the others are merged: its best path is a bound */
};

/* How to compile a diagram. A zero means the default. */
struct filch_dd_compile_options {
	size_t struct_size; /* sizeof(struct filch_dd_compile_options) */
	int kind;	    /* enum filch_dd_kind */
	size_t width;	    /* 0: the problem's. The last layer is never cut, nor a relaxed diagram's second one */
	const char *cutset; /* "frontier", or "layer": the last exact layer; NULL: the problem chooses */
	/* The node to start from: the root, or the state after prefix_length decisions. */
	const int32_t *prefix_variables, *prefix_labels;
	int prefix_length;
	int has_best; /* prune states that cannot beat best */
	int64_t best;
	size_t memory_limit; /* bytes; 0: no limit */
	size_t size_limit;   /* nodes and arcs; 0: no limit */
};

/* A node of a diagram. Nodes of a layer have numbers from 0. */
struct filch_dd_diagram_node {
	const void *state;
	int64_t top;	/* value of the best path from the root */
	int64_t bottom; /* value of the best path to the end; only if reaches */
	int exact;	/* no path to it passes a merged node */
	int merged;	/* it stands for several states */
	int cutset;	/* it is in the cutset */
	int reaches;	/* a path goes from it to the end */
	int best;	/* it is on the best path */
};

struct filch_dd_diagram_arc {
	uint32_t from, to; /* nodes of this layer and of the next one */
	int32_t label;
	int64_t cost; /* with the cost of the merge */
	int best;     /* it is on the best path */
};

/*
 * Compiles a diagram. Returns 0 or
 *   -EINVAL   an argument makes no sense, or a relaxed diagram needs the function merge
 *   -E2BIG    a state has more than children_max children
 *   -ENOMEM   there is no memory, or the memory limit is met
 *   -EFBIG    it has more nodes and arcs than size_limit
 *   -ENOENT   the prefix is infeasible, or there is no such cutset
 */
FILCH_API int filch_dd_compile(struct filch_dd_diagram **out, const struct filch_dd_problem *problem,
			       const struct filch_dd_compile_options *opt);
FILCH_API void filch_dd_diagram_destroy(struct filch_dd_diagram *diagram);

/* Nothing was dropped or merged: its best value is the best of all solutions below its root. */
FILCH_API int filch_dd_diagram_exact(const struct filch_dd_diagram *diagram);
/* The number of layers. The first layer has the root only, the last one has the ends. 0: there is no path. */
FILCH_API int filch_dd_diagram_layers(const struct filch_dd_diagram *diagram);
/* The variable of a layer; -1: it is the last one. */
FILCH_API int filch_dd_diagram_variable(const struct filch_dd_diagram *diagram, int layer);
FILCH_API size_t filch_dd_diagram_nodes(const struct filch_dd_diagram *diagram, int layer);
FILCH_API size_t filch_dd_diagram_arcs(const struct filch_dd_diagram *diagram, int layer);
/* One node, or one arc that leaves the layer. 0; -EINVAL: there is none. */
FILCH_API int filch_dd_diagram_node(const struct filch_dd_diagram *diagram, int layer, size_t number,
				    struct filch_dd_diagram_node *node);
FILCH_API int filch_dd_diagram_arc(const struct filch_dd_diagram *diagram, int layer, size_t number,
				   struct filch_dd_diagram_arc *arc);
/*
 * The value of the best path from the root to the end, and its labels by variable (variables of them, or NULL). In a
 * relaxed diagram it may be no solution. 1; 0: there is no path.
 */
FILCH_API int filch_dd_diagram_best(const struct filch_dd_diagram *diagram, int64_t *value, int32_t *labels);
/* Writes a picture of the diagram: format is "svg" or "dot". 0; -EINVAL; or the error of the file system. */
FILCH_API int filch_dd_diagram_draw(const struct filch_dd_diagram *diagram, const char *path, const char *format);

/* ---- the solver ---- */

/* A zero means the default. */
struct filch_dd_options {
	size_t struct_size; /* sizeof(struct filch_dd_options) */
	struct filch_pool *pool;
	unsigned workers;	/* as in struct filch_search_options */
	const char *order;	/* "best" (default), "depth" or "mixture" */
	const char *move;	/* as in struct filch_search_options */
	size_t width;		/* of all diagrams; 0: the width of the problem times width_factor */
	double width_factor;	/* 0: 1 */
	const char *cutset;	/* "frontier" or "layer"; NULL: the problem chooses, see FILCH_DD_LAYER_CUTSET */
	size_t cache;		/* bytes of thresholds and dominance that workers share; 0: 256 MiB */
	int no_cache;		/* no thresholds */
	int no_dominance;	/* ignore the function dominance */
	uint64_t round;		/* deterministic mode, as in struct filch_search_options */
	uint64_t node_limit;	/* subproblems */
	uint64_t time_limit_ns; /* a worker also looks while it compiles */
	/* Bytes of the solver: open subproblems, diagrams, thresholds. Diagrams get narrower to fit. 0: no limit. */
	size_t memory_limit;
	double gap_limit;
	size_t dive; /* "mixture": subproblems of a dive; 0: no limit */
	void (*progress)(const struct filch_search_progress *progress, void *arg); /* arg: progress_arg */
	void *progress_arg;
	uint64_t progress_ns;
	const char *checkpoint;
	uint64_t checkpoint_ns;
};

struct filch_dd_result {
	size_t struct_size; /* sizeof(struct filch_dd_result), set by the caller */
	int end;	    /* enum filch_search_end */
	int error;	    /* of FILCH_SEARCH_ERROR */
	int has_best;	    /* there is a solution. Without it, FILCH_SEARCH_DONE means that there is none */
	int has_bound;
	int64_t best, bound;
	double gap;	       /* relative; 0: optimal; infinite if unknown */
	const int32_t *labels; /* of the best solution, by variable; valid until the next run or destroy */
	uint64_t explored;     /* subproblems */
	uint64_t pruned, open; /* subproblems */
	uint64_t nodes;	       /* of diagrams compiled */
	uint64_t diagrams;     /* compiled */
	double seconds;
	size_t memory; /* largest number of bytes in use */
};

/*
 * Makes a solver, with the root as its only open subproblem. The structs are copied; strings, the pool and the data of
 * the problem must stay valid. opt may be NULL. 0; -EINVAL; -ENOENT: there is no such order, move or cutset; -ENOMEM;
 * or the error of local_begin.
 */
FILCH_API int filch_dd_create(struct filch_dd **out, const struct filch_dd_problem *problem,
			      const struct filch_dd_options *opt);
FILCH_API void filch_dd_destroy(struct filch_dd *dd);

/*
 * Solves until the best solution is proved, a limit is met, or the solver is cancelled. Another run goes on.
 * 0: it ended, and the result says why. -EINVAL; -EBUSY: it runs already. -EPROTO: the check of the problem refused the
 * best solution, or finds another value.
 */
FILCH_API int filch_dd_run(struct filch_dd *dd, struct filch_dd_result *result);

/* Ends the run, or the next run at once. From any thread. */
FILCH_API void filch_dd_cancel(struct filch_dd *dd);

/* Offers a solution from elsewhere, with a label for each variable. 1: it is the best one now; 0; or an error. */
FILCH_API int filch_dd_improve(struct filch_dd *dd, int64_t value, const int32_t *labels);

/* Replaces the open subproblems by those of a checkpoint. The errors of filch_search_load(). */
FILCH_API int filch_dd_load(struct filch_dd *dd, const char *path);

/* The search below the solver, for its statistics and for filch_search_save(). */
FILCH_API struct filch_search *filch_dd_search(struct filch_dd *dd);

FILCH_END_DECLS

#endif
