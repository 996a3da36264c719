"""Language models of a few thousand random weights, saved as transformers saves them.

They need torch and transformers, which are no dependencies: tests that use them skip without.
"""

import pytest

CORPUS = [
    "the film was good and the actors were bad",
    "a good day for the people of the town",
    "everyone enjoyed it very much indeed",
]
MARKS = ["<s>", "<pad>", "</s>", "<unk>"]
N_POSITIONS = 16


def saved(kind, folder):
    """Save a model of a kind into a folder: gpt2, bart, pegasus, t5, bert or roberta."""
    torch = pytest.importorskip("torch", reason="torch is no dependency; install it to run this")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    tokenizer = _tokenizer(transformers)
    tokenizer.save_pretrained(folder)
    _model(kind, transformers, len(tokenizer)).save_pretrained(folder)
    return folder


def _tokenizer(transformers):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    cut = Tokenizer(models.BPE())
    cut.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    cut.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=320, special_tokens=MARKS, initial_alphabet=alphabet)
    cut.train_from_iterator(CORPUS, trainer)
    cut.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=cut, bos_token="<s>", pad_token="<pad>", eos_token="</s>",
        unk_token="<unk>", cls_token="<s>", sep_token="</s>",
    )  # fmt: skip


def _model(kind, transformers, n_words):
    marks = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    both = {
        "vocab_size": n_words, "d_model": 16, "max_position_embeddings": N_POSITIONS,
        "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16,
        "encoder_attention_heads": 2, "decoder_attention_heads": 2,
    }  # fmt: skip
    encoder = {
        "vocab_size": n_words, "hidden_size": 16, "num_hidden_layers": 2, "intermediate_size": 16,
        "num_attention_heads": 2, "max_position_embeddings": N_POSITIONS + 2, "pad_token_id": 1,
    }  # fmt: skip
    of = transformers
    if kind == "gpt2":
        config = {"n_positions": N_POSITIONS, "n_embd": 16, "n_layer": 1, "n_head": 2}
        return of.GPT2LMHeadModel(of.GPT2Config(vocab_size=n_words, **config))
    if kind == "bart":
        return of.BartForConditionalGeneration(of.BartConfig(**both, **marks))
    if kind == "pegasus":
        return of.PegasusForConditionalGeneration(of.PegasusConfig(**both, **marks))
    if kind == "t5":
        config = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
        return of.T5ForConditionalGeneration(of.T5Config(vocab_size=n_words, **config, **marks))
    if kind == "bert":
        return of.BertForMaskedLM(of.BertConfig(**encoder))
    return of.RobertaModel(of.RobertaConfig(**encoder, type_vocab_size=1))
